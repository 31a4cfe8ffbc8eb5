package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Noted;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A handler violates a deferred constraint of an application table. PostgreSQL reports that at the commit, and has
 * rolled back. So the outcome is known, and the event has failed.
 */
class DeferredConstraintTests {

    private static final AggregateType<Noted> NOTES = AggregateType.of("notes", Noted.class, new Noted(""))
            .on(Noted.class, (last, event) -> event)
            .build();

    private static final int OTHERS = 50;

    private final TestDatabase database = TestDatabase.acquire(Dialect.POSTGRESQL);

    @BeforeEach
    void createTable() throws SQLException {
        execute("create table booking (seat text)");
        execute("insert into booking values ('taken')");
    }

    @AfterEach
    void release() throws SQLException {
        execute("drop table booking");
        execute("drop function if exists check_seat");
        database.release();
    }

    @ParameterizedTest
    @EnumSource
    void violationIsParkedAndBlocksNoOtherEventOfItsSegment(Constraint constraint) throws Exception {
        execute(constraint.create);
        Component booking = Component.named("bookings")
                .on(Noted.class, DeferredConstraintTests::book)
                .rowsIn(database.dataSource())
                .build();
        try (JdbcStore store = JdbcStore.in("notes", database.dataSource()).open();
                HoldfastService service = HoldfastService.named("notes", store, new InMemoryWire())
                        .owns("notes")
                        .processor("booker", processor -> processor
                                .reads("notes")
                                .settings(ProcessorSettings.DEFAULT.segments(1))
                                .calls(booking))
                        .start()) {
            note(service, "violating", "taken");
            note(service, "violating", "behind");
            for (int number = 0; number < OTHERS; number++) {
                note(service, "key-" + number, "" + number);
            }

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(letters(service)).hasSize(2);
                assertThat(seats()).hasSize(1 + OTHERS).doesNotHaveDuplicates().doesNotContain("behind");
            });
            assertThat(Objects.requireNonNull(letters(service).get(0).cause()).message())
                    .contains("SQL state " + constraint.state);

            execute(constraint.drop);
            assertThat(service.processor("booker")
                            .deadLetterProcessor("bookings")
                            .processAny()
                            .get(60, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(letters(service)).isEmpty();
            assertThat(seats()).hasSize(3 + OTHERS).contains("behind");
        }
    }

    private static void book(Noted event, EventContext context) {
        try (PreparedStatement insert =
                context.resource(Connection.class).prepareStatement("insert into booking values (?)")) {
            insert.setString(1, event.text());
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("the insert itself must succeed", e);
        }
    }

    private static List<DeadLetter> letters(HoldfastService service) {
        List<DeadLetter> letters = new ArrayList<>();
        service.deadLetterQueue("booker", "bookings")
                .deadLetterSequence("notes/violating")
                .forEach(letters::add);
        return letters;
    }

    private List<String> seats() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select seat from booking")) {
            List<String> seats = new ArrayList<>();
            while (rows.next()) {
                seats.add(rows.getString(1));
            }
            return seats;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void note(HoldfastService service, String key, String text) {
        service.commands().execute(Command.once(Clock.systemUTC()), NOTES, key, last -> List.of(new Noted(text)));
    }

    /** Rejects a second {@code taken}, at the commit. */
    private enum Constraint {
        UNIQUE(
                "23505",
                "alter table booking add constraint checked unique (seat) deferrable initially deferred",
                "alter table booking drop constraint checked"),
        TRIGGER_THAT_RAISES("P0001", "raise exception 'the seat is taken'"),
        TRIGGER_THAT_FAILS("22012", "perform 1 / 0");

        private final String state;
        private final String create;
        private final String drop;

        Constraint(String state, String statement) {
            this(
                    state,
                    "create function check_seat() returns trigger language plpgsql as $$ begin " + statement
                            + "; return null; end $$; create constraint trigger checked after insert on booking"
                            + " deferrable initially deferred for each row when (new.seat = 'taken')"
                            + " execute function check_seat()",
                    "drop function check_seat cascade");
        }

        Constraint(String state, String create, String drop) {
            this.state = state;
            this.create = create;
            this.drop = drop;
        }
    }
}
