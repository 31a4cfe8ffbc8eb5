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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler is idle in its transaction for longer than PostgreSQL permits, each time. */
class IdleHandlerTests {

    private static final AggregateType<Noted> NOTES = AggregateType.of("notes", Noted.class, new Noted(""))
            .on(Noted.class, (last, event) -> event)
            .build();

    private static final int OTHERS = 50;

    private final TestDatabase database = TestDatabase.acquire(Dialect.POSTGRESQL);
    private final JdbcApplicationRows rows = new JdbcApplicationRows(database.dataSource());

    @AfterEach
    void release() {
        database.release();
    }

    @Test
    void isParkedAndBlocksNoOtherEventOfItsSegment() {
        Component writing = Component.named("copies")
                .on(Noted.class, this::write)
                .rowsIn(database.dataSource())
                .build();
        try (JdbcStore store = JdbcStore.in("notes", database.dataSource()).open();
                HoldfastService service = HoldfastService.named("notes", store, new InMemoryWire())
                        .owns("notes")
                        .processor("copier", processor -> processor
                                .reads("notes")
                                .settings(ProcessorSettings.DEFAULT.segments(1))
                                .calls(writing))
                        .start()) {
            note(service, "idle", "idle");
            for (int number = 0; number < OTHERS; number++) {
                note(service, "key-" + number, "" + number);
            }

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(rows.read()).hasSize(OTHERS).doesNotHaveDuplicates());
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                            service.deadLetterQueue("copier", "copies").deadLetterSequence("notes/idle"))
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.attempts()).hasSize(3)));
            DeadLetter letter = service.deadLetterQueue("copier", "copies")
                    .deadLetterSequence("notes/idle")
                    .iterator()
                    .next();
            assertThat(letter.cause()).satisfies(cause -> assertThat(cause == null ? List.of() : cause.chain())
                    .isNotEmpty());
        }
    }

    private void write(Noted event, EventContext context) {
        Connection connection = context.resource(Connection.class);
        try (PreparedStatement insert =
                connection.prepareStatement("insert into " + JdbcApplicationRows.TABLE + " (content) values (?)")) {
            if (event.text().equals("idle")) {
                idle(connection);
            }
            insert.setString(1, event.text());
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the server has terminated the session. */
    private void idle(Connection connection) throws SQLException {
        int session;
        try (Statement statement = connection.createStatement()) {
            statement.execute("set idle_in_transaction_session_timeout = 50");
            try (ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
                row.next();
                session = row.getInt(1);
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> !isOpen(session));
    }

    private boolean isOpen(int session) throws SQLException {
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement();
                ResultSet row = statement.executeQuery("select 1 from pg_stat_activity where pid = " + session)) {
            return row.next();
        }
    }

    private static void note(HoldfastService service, String key, String text) {
        service.commands().execute(Command.once(Clock.systemUTC()), NOTES, key, last -> List.of(new Noted(text)));
    }
}
