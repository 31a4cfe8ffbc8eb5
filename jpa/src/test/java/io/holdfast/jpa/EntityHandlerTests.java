package io.holdfast.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.jpa.Bookings.Booked;
import io.holdfast.jpa.Bookings.Placed;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.StoredSequences;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that write entities: entities, events and position are committed together or not at all. */
@ParameterizedClass
@EnumSource(Product.class)
class EntityHandlerTests {

    private static final Duration BOUND = Duration.ofSeconds(30);
    /** All events of a batch are in one transaction; the one that fails is in the middle. */
    private static final int CUSTOMERS = 8;

    private static final String BAD = "customer-3";

    private final TestPersistenceUnit unit;
    private final JpaStore store;

    EntityHandlerTests(Product product) {
        this.unit = TestPersistenceUnit.acquire(product);
        this.store = JpaStore.in("seats", unit.factory()).open();
    }

    @AfterEach
    void close() {
        store.close();
        unit.release();
    }

    /** The flush fails after the handler has returned. Other handlers write in the same transaction. */
    @Test
    void parksOnlyTheEventWhoseEntityFailsAtALaterFlush() {
        unit.run("insert into seat values ('" + BAD + "', 0, 0)");

        try (HoldfastService service = start(EntityHandlerTests::bookSeat)) {
            placeOneEach(service);
            awaitPending(service);

            assertBadIsParkedAlone(service);
            assertThat(cause(service)).contains("23505");
        }
    }

    @Test
    void parksOnlyTheEventWhoseDeferredConstraintFailsAtTheCommit() {
        assumeTrue(unit.product() == Product.POSTGRESQL, "H2 has no deferred constraints");
        unit.run("create table badge (name text unique deferrable initially deferred)");
        unit.run("insert into badge values ('" + BAD + "')");
        unit.run("insert into seat values ('" + BAD + "', 0, 0)");

        try (HoldfastService service = start(context -> {
            if (!context.event().key().equals(BAD)) {
                bookSeat(context);
            }
            context.resource(EntityManager.class)
                    .createNativeQuery("insert into badge values (?1)")
                    .setParameter(1, context.event().key())
                    .executeUpdate();
        })) {
            placeOneEach(service);
            awaitPending(service);

            assertBadIsParkedAlone(service);
            assertThat(cause(service)).contains("23505").doesNotContain("lost the database transaction");
        } finally {
            unit.run("drop table badge");
        }
    }

    @Test
    void parksOnlyTheEventWhoseEntityFailsInItsHandler() {
        unit.run("insert into seat values ('" + BAD + "', 0, 0)");

        try (HoldfastService service = start(context -> {
            bookSeat(context);
            context.resource(EntityManager.class).flush();
        })) {
            placeOneEach(service);
            awaitPending(service);

            assertBadIsParkedAlone(service);
        }
    }

    /** Even if the database would continue: the state of the EntityManager is unknown after an error. */
    @Test
    void parksAnEventWhoseHandlerSwallowsAPersistenceError() {
        unit.run("insert into seat values ('" + BAD + "', 0, 0)");

        try (HoldfastService service = start(context -> {
            bookSeat(context);
            try {
                context.resource(EntityManager.class).flush();
            } catch (PersistenceException e) {
                // ignores the error
            }
        })) {
            placeOneEach(service);
            awaitPending(service);

            assertBadIsParkedAlone(service);
            assertThat(cause(service)).contains("Let the exception propagate out of the handler");
        }
    }

    @Test
    void parksAnEventWhoseHandlerMarksItsTransactionForRollback() {
        unit.run("insert into seat values ('" + BAD + "', 0, 0)");

        try (HoldfastService service = start(context -> {
            if (context.event().key().equals(BAD)) {
                context.resource(EntityManager.class).getTransaction().setRollbackOnly();
            } else {
                bookSeat(context);
            }
        })) {
            placeOneEach(service);
            awaitPending(service);

            assertBadIsParkedAlone(service);
        }
    }

    @Test
    void rollsBackOnlyTheEntitiesOfTheDecisionThatThrows() {
        try (HoldfastService service = start(context -> {
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
            assertThat(cause(service)).contains("rejected");
            assertThat(seats()).hasSize(CUSTOMERS - 1).doesNotContain(BAD + "=1");
        }
    }

    /** Entities of other events are not in it, so that their rollback has no effect here. */
    @Test
    void eachEventGetsAnEmptyEntityManager() {
        unit.run("insert into seat values ('shared', 0, 0)");
        AtomicBoolean wasFull = new AtomicBoolean();
        Seat[] seen = new Seat[1];

        try (HoldfastService service = start(context -> {
            EntityManager entities = context.resource(EntityManager.class);
            if (seen[0] != null && entities.contains(seen[0])) {
                wasFull.set(true);
            }
            seen[0] = entities.find(Seat.class, "shared");
            seen[0].incrementTaken();
        })) {
            placeOneEach(service);
            awaitBooked(service, CUSTOMERS);

            assertThat(wasFull).isFalse();
            assertThat(seats()).containsExactly("shared=" + CUSTOMERS);
        }
    }

    @Test
    void handlesAnEventAgainAfterAnOptimisticLockConflict() {
        unit.run("insert into seat values ('shared', 0, 0)");
        AtomicBoolean isFirst = new AtomicBoolean(true);

        try (HoldfastService service = start(context -> {
            Seat seat = context.resource(EntityManager.class).find(Seat.class, "shared");
            if (isFirst.getAndSet(false)) {
                unit.run("update seat set taken = taken + 100, version = version + 1 where name = 'shared'");
            }
            seat.incrementTaken();
        })) {
            placeOneEach(service);
            awaitBooked(service, CUSTOMERS);

            assertThat(seats()).containsExactly("shared=" + (100 + CUSTOMERS));
            assertThat(parked(service)).isEmpty();
        }
    }

    @Test
    void entitiesAndStatementsShareOneTransaction() {
        try (HoldfastService service = start(context -> {
            bookSeat(context);
            context.resource(EntityManager.class).flush();
            Connection connection = context.resource(Connection.class);
            try (Statement statement = connection.createStatement()) {
                statement.execute("update seat set taken = 5 where name = '"
                        + context.event().key() + "'");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        })) {
            placeOneEach(service);
            awaitBooked(service, CUSTOMERS);

            assertThat(seats()).hasSize(CUSTOMERS).allMatch(seat -> seat.endsWith("=5"));
        }
    }

    @Test
    void rejectsEntitiesOfAnotherPersistenceUnitAtStart() {
        try (EntityManagerFactory elsewhere = unit.configuration().createEntityManagerFactory()) {
            assertThatThrownBy(() -> HoldfastService.named("seats", store, new InMemoryWire())
                            .owns("orders")
                            .processor("seats", processor -> processor
                                    .reads("orders")
                                    .calls(Component.named("taker")
                                            .on(Placed.class, (order, context) -> {})
                                            .rowsIn(elsewhere)
                                            .build()))
                            .start())
                    .isInstanceOf(PermanentException.class)
                    .hasMessageContaining("component taker of processor seats writes application rows to " + elsewhere);
        }
    }

    private void assertBadIsParkedAlone(HoldfastService service) {
        assertThat(parked(service)).containsExactly("orders/" + BAD);
        assertThat(seats())
                .hasSize(CUSTOMERS)
                .contains(BAD + "=0")
                .filteredOn(seat -> seat.endsWith("=1"))
                .hasSize(CUSTOMERS - 1);
        assertThat(booked(service)).hasSize(CUSTOMERS - 1).doesNotContain(BAD);
    }

    private HoldfastService start(Consumer<EventContext> handler) {
        Component component = Component.named("taker")
                .on(Placed.class, (order, context) -> {
                    handler.accept(context);
                    context.decide(
                            Bookings.BOOKINGS, context.event().key(), newest -> List.of(new Booked(order.number())));
                })
                .rowsIn(unit.factory())
                .build();
        return HoldfastService.named("seats", store, new InMemoryWire())
                .owns(Bookings.ORDERS.stream(), Bookings.BOOKINGS.stream())
                .resilience(ResilienceSettings.DEFAULT.retry(
                        RetryOverrides.NONE.waitDuration(Duration.ofMillis(20)).maxAttempts(2)))
                .processor("seats", processor -> processor
                        .reads(Bookings.ORDERS.stream())
                        .calls(component)
                        .settings(ProcessorSettings.DEFAULT.segments(1).lease(Duration.ofSeconds(3))))
                .start();
    }

    private static void placeOneEach(HoldfastService service) {
        service.commands().execute(Command.once(Clock.systemUTC()), context -> IntStream.range(0, CUSTOMERS)
                .forEach(customer -> context.append(Bookings.ORDERS, "customer-" + customer, new Placed(1))));
    }

    private static void bookSeat(EventContext context) {
        context.resource(EntityManager.class).persist(new Seat(context.event().key(), 1));
    }

    private static void awaitPending(HoldfastService service) {
        await().atMost(BOUND).until(() -> StoredSequences.findAll(service.deadLetters(), "seats").stream()
                .anyMatch(sequence -> sequence.state() == SequenceState.PENDING));
        awaitBooked(service, CUSTOMERS - 1);
    }

    private static void awaitBooked(HoldfastService service, int count) {
        await().atMost(BOUND).untilAsserted(() -> assertThat(booked(service)).hasSizeGreaterThanOrEqualTo(count));
    }

    private static List<String> parked(HoldfastService service) {
        return StoredSequences.findAll(service.deadLetters(), "seats").stream()
                .map(sequence -> sequence.id().sequence())
                .toList();
    }

    private static String cause(HoldfastService service) {
        ParkedSequence sequence =
                StoredSequences.findAll(service.deadLetters(), "seats").get(0);
        DeadLetter letter =
                service.deadLetters().findLetters(sequence.id(), 0, 1).get(0);
        return String.valueOf(letter.cause());
    }

    private static List<String> booked(HoldfastService service) {
        return service.eventLog().readStream(Bookings.BOOKINGS.stream(), 0, 100).stream()
                .map(event -> event.key())
                .toList();
    }

    private List<String> seats() {
        return unit.query("select name || '=' || taken from seat order by name");
    }
}
