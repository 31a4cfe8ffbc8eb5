package io.holdfast.jdbc;

import static io.holdfast.tck.harness.StoreWriter.events;
import static io.holdfast.tck.harness.StoreWriter.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitSession;
import io.holdfast.event.PayloadCodec;
import io.holdfast.tck.harness.StoreWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The head row counts commits, so that a database that lost some of them can be recognized. */
class HeadRowTests {

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void countsEveryCommitEvenWithoutEvents(Dialect dialect) throws Exception {
        TestDatabase database = TestDatabase.acquire(dialect);
        try (JdbcStore store = JdbcStore.in("kit", database.dataSource()).open()) {
            StoreWriter writer = writer(store);
            long before = commits(database);

            writer.append("notes", "a", 1);
            assertThat(commits(database)).isEqualTo(before + 1);

            writer.commit(rows(writer.row("board", "x", 1, "first")));
            assertThat(commits(database)).isEqualTo(before + 2);
        }
        database.release();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void doesNotCountSessionThatIsRolledBack(Dialect dialect) throws Exception {
        TestDatabase database = TestDatabase.acquire(dialect);
        try (JdbcStore store = JdbcStore.in("kit", database.dataSource()).open()) {
            long before = commits(database);

            try (CommitSession session = store.commitStore().open()) {
                session.lockHead();
                session.write(List.of(events(writer(store).draft("notes", "a", 1))));
            }

            assertThat(commits(database)).isEqualTo(before);
        }
        database.release();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void rejectsEventsWhileTheHeadIsBelowThatOfAStream(Dialect dialect) throws Exception {
        TestDatabase database = TestDatabase.acquire(dialect);
        try (JdbcStore store = JdbcStore.in("kit", database.dataSource()).open()) {
            StoreWriter writer = writer(store);
            writer.append("notes", "a", 1);
            writer.append("notes", "a", 2);
            run(database, "update holdfast_log set head_position = 1");

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> writer.append("notes", "a", 3))
                    .withMessage("table holdfast_log is damaged: its head is at position 1, but table holdfast_stream"
                            + " has the head of stream notes at position 2");

            run(
                    database, // the correction that the changelog names
                    "update holdfast_log set head_position = (select max(head_position) from holdfast_stream)");
            assertThat(writer.append("notes", "a", 3).position()).isEqualTo(3);
        }
        database.release();
    }

    private static StoreWriter writer(JdbcStore store) {
        return new StoreWriter(store.commitStore(), Clock.systemUTC(), new PayloadCodec());
    }

    private static void run(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long commits(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select commits from holdfast_log")) {
            row.next();
            return row.getLong(1);
        }
    }
}
