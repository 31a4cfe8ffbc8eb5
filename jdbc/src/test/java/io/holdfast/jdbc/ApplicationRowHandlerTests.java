package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.Handler;
import io.holdfast.jdbc.Copies.Copied;
import io.holdfast.jdbc.Copies.Placed;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.token.Segments;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Handlers that write application rows: rows, events and position are committed together or not at all. */
@ParameterizedClass
@EnumSource(Dialect.class)
class ApplicationRowHandlerTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(1));
    /** All events of a batch are in one transaction; the one that fails is in the middle. */
    private static final int CUSTOMERS = 8;

    private static final String BAD = "customer-3";

    private final Dialect dialect;
    private final TestDatabase database;
    private final JdbcStore store;

    ApplicationRowHandlerTests(Dialect dialect) {
        this.dialect = dialect;
        this.database = TestDatabase.acquire(dialect);
        this.store =
                JdbcStore.in("rows", database.dataSource()).timeouts(TIMEOUTS).open();
    }

    @BeforeEach
    void createTable() {
        run("create table seat (name varchar(50) primary key, taken integer not null)");
    }

    @AfterEach
    void close() {
        store.close();
        run("drop table seat");
        database.release();
    }

    @Test
    void parksOnlyTheEventThatViolatesAConstraint() {
        run("insert into seat values ('" + BAD + "', 0)");

        try (HoldfastService service = start(1, (order, context) -> bookSeat(context))) {
            placeOneEach(service);
            awaitPending(service);

            assertThat(parked(service)).containsExactly("orders/" + BAD);
            assertThat(seats())
                    .hasSize(CUSTOMERS)
                    .contains(BAD + "=0")
                    .filteredOn(seat -> seat.endsWith("=1"))
                    .hasSize(CUSTOMERS - 1);
            assertThat(copied(service)).hasSize(CUSTOMERS - 1).doesNotContain(BAD);
        }
    }

    /**
     * PostgreSQL rejects every statement after an error, which would also hit the next handler. H2 rolls back only the
     * statement.
     */
    @Test
    void swallowedDatabaseErrorAffectsOnlyItsOwnEvent() {
        run("insert into seat values ('" + BAD + "', 0)");

        try (HoldfastService service = start(1, (order, context) -> {
            try {
                bookSeat(context);
            } catch (IllegalStateException e) {
                // ignores the error
            }
        })) {
            placeOneEach(service);
            if (dialect == Dialect.POSTGRESQL) {
                awaitPending(service);
                assertThat(parked(service)).containsExactly("orders/" + BAD);
                assertThat(copied(service)).hasSize(CUSTOMERS - 1).doesNotContain(BAD);
            } else {
                awaitCopied(service, CUSTOMERS);
                assertThat(parked(service)).isEmpty();
            }
            assertThat(seats()).hasSize(CUSTOMERS).contains(BAD + "=0");
        }
    }

    @Test
    void rollsBackOnlyTheRowsOfTheDecisionThatThrows() {
        try (HoldfastService service = start(1, (order, context) -> {
            bookSeat(context);
            if (context.event().key().equals(BAD)) {
                context.decide(any -> {
                    throw new IllegalStateException("rejected");
                });
            }
        })) {
            placeOneEach(service);
            awaitPending(service);

            assertThat(parked(service)).containsExactly("orders/" + BAD);
            ParkedSequence sequence =
                    StoredSequences.findAll(service.deadLetters(), "rows").get(0);
            List<DeadLetter> letters = service.deadLetters().findLetters(sequence.id(), 0, 10);
            assertThat(letters).hasSize(1).allSatisfy(letter -> assertThat(String.valueOf(letter.cause()))
                    .contains("rejected"));
            assertThat(seats()).hasSize(CUSTOMERS - 1).doesNotContain(BAD + "=1");
            assertThat(copied(service)).hasSize(CUSTOMERS - 1).doesNotContain(BAD);
        }
    }

    @Test
    void rejectsRowsInAnotherDatabaseAtStart() {
        PGSimpleDataSource elsewhere = new PGSimpleDataSource();

        assertThatThrownBy(() -> HoldfastService.named("rows", store, new InMemoryWire())
                        .owns("orders")
                        .processor("rows", processor -> processor
                                .reads("orders")
                                .calls(Component.named("taker")
                                        .on(Placed.class, (order, context) -> {})
                                        .rowsIn(elsewhere)
                                        .build()))
                        .start())
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("component taker of processor rows writes application rows to " + elsewhere)
                .hasMessageContaining("could not be committed together with its position");
    }

    @Test
    void completesBothHandlersAfterADeadlock() {
        run("insert into seat values ('a', 0), ('b', 0)");
        String even = customer(0);
        String odd = customer(1);
        CountDownLatch bothHaveLockedOne = new CountDownLatch(2);

        try (HoldfastService service = start(2, (order, context) -> {
            boolean isEven = context.event().key().equals(even);
            incrementTaken(context, isEven ? "a" : "b");
            bothHaveLockedOne.countDown();
            awaitOther(bothHaveLockedOne);
            incrementTaken(context, isEven ? "b" : "a");
        })) {
            service.commands().execute(Command.once(Clock.systemUTC()), context -> {
                context.append(Copies.ORDERS, even, new Placed(1));
                context.append(Copies.ORDERS, odd, new Placed(1));
            });

            awaitCopied(service, 2);
            assertThat(bothHaveLockedOne.getCount())
                    .as("handlers that have not started")
                    .isZero();
            assertThat(seats()).containsExactlyInAnyOrder("a=2", "b=2");
            assertThat(parked(service)).isEmpty();
        }
    }

    /**
     * The idle limit is one second here, but applies only under the head lock. The handler is idle for longer without
     * it.
     */
    @Test
    void handlerMayStayIdleBetweenStatements() {
        run("insert into seat values ('a', 0)");

        try (HoldfastService service = start(1, (order, context) -> {
            incrementTaken(context, "a");
            letDatabaseTimePass();
            incrementTaken(context, "a");
        })) {
            service.commands()
                    .execute(
                            Command.once(Clock.systemUTC()),
                            context -> context.append(Copies.ORDERS, "customer-0", new Placed(1)));

            awaitCopied(service, 1);
            assertThat(seats()).containsExactly("a=2");
            assertThat(parked(service)).isEmpty();
        }
    }

    private HoldfastService start(int segments, Handler<Placed> handler) {
        Component component = Component.named("taker")
                .on(Placed.class, (order, context) -> {
                    handler.handle(order, context);
                    context.decide(Copies.COPIES, context.event().key(), newest -> List.of(new Copied(order.number())));
                })
                .rowsIn(database.dataSource())
                .build();
        return HoldfastService.named("rows", store, new InMemoryWire())
                .owns(Copies.ORDERS.stream(), Copies.COPIES.stream())
                .resilience(ResilienceSettings.DEFAULT.retry(
                        RetryOverrides.NONE.waitDuration(Duration.ofMillis(20)).maxAttempts(2)))
                .processor("rows", processor -> processor
                        .reads(Copies.ORDERS.stream())
                        .calls(component)
                        .settings(ProcessorSettings.DEFAULT.segments(segments).lease(Duration.ofSeconds(3))))
                .start();
    }

    private static void placeOneEach(HoldfastService service) {
        service.commands().execute(Command.once(Clock.systemUTC()), context -> IntStream.range(0, CUSTOMERS)
                .forEach(customer -> context.append(Copies.ORDERS, "customer-" + customer, new Placed(1))));
    }

    private static void bookSeat(EventContext context) {
        execute(context, "insert into seat values ('" + context.event().key() + "', 1)");
    }

    private static void incrementTaken(EventContext context, String seat) {
        execute(context, "update seat set taken = taken + 1 where name = '" + seat + "'");
    }

    private static void execute(EventContext context, String sql) {
        try (Statement statement = context.resource(Connection.class).createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a customer whose orders belong to this one of two segments. */
    private static String customer(int segment) {
        return IntStream.range(0, 100)
                .mapToObj(number -> "customer-" + number)
                .filter(customer -> Segments.covers(Segments.hash("orders/" + customer), segment, 1))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitOther(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void letDatabaseTimePass() {
        if (dialect == Dialect.POSTGRESQL) {
            run("select pg_sleep(2.5)");
        }
    }

    private void awaitPending(HoldfastService service) {
        await().atMost(BOUND).until(() -> StoredSequences.findAll(service.deadLetters(), "rows").stream()
                .anyMatch(sequence -> sequence.state() == SequenceState.PENDING));
        awaitCopied(service, CUSTOMERS - 1);
    }

    private static void awaitCopied(HoldfastService service, int count) {
        await().atMost(BOUND).untilAsserted(() -> assertThat(copied(service)).hasSizeGreaterThanOrEqualTo(count));
    }

    private static List<String> parked(HoldfastService service) {
        return StoredSequences.findAll(service.deadLetters(), "rows").stream()
                .map(sequence -> sequence.id().sequence())
                .toList();
    }

    private static List<String> copied(HoldfastService service) {
        return service.eventLog().readStream(Copies.COPIES.stream(), 0, 100).stream()
                .map(event -> event.key())
                .toList();
    }

    private List<String> seats() {
        List<String> seats = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select name, taken from seat order by name")) {
            while (row.next()) {
                seats.add(row.getString(1) + "=" + row.getInt(2));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return seats;
    }

    private void run(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
