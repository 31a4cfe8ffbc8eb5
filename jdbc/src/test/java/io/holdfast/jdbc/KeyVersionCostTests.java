package io.holdfast.jdbc;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.EventDraft;
import io.holdfast.event.PayloadCodec;
import io.holdfast.tck.harness.StoreWriter;
import io.holdfast.testsupport.PostgresqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The version of a key is found without reading its history. Rows are counted by the database, not by the clock. */
class KeyVersionCostTests {

    private static final int HISTORY = 1_000;
    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    private static final String QUERY =
            "select k.s, " + CommittedVersions.NEWEST_VERSION + " from (select 'notes' as s, 'hot' as a) k";

    @Test
    void readsFewRowsOnH2() throws SQLException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        writeHistory(url);

        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("explain analyze " + QUERY)) {
            row.next();
            Matcher scanned = SCANNED.matcher(row.getString(1));
            assertThat(scanned.results().mapToInt(match -> Integer.parseInt(match.group(1))))
                    .allMatch(rows -> rows < 5);
        }
        assertThat(newestVersion(url, "sa")).isEqualTo(HISTORY);
    }

    @Test
    void readsFewRowsOnPostgresql() throws SQLException {
        String url = PostgresqlServer.shared().newDatabase();
        writeHistory(url);

        try (Connection connection = DriverManager.getConnection(url, PostgresqlServer.USER, "")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("set local enable_seqscan = off"); // the table is too small for the planner
                statement.execute(QUERY);
                try (ResultSet row = statement.executeQuery("select coalesce(seq_tup_read, 0) + idx_tup_fetch"
                        + " from pg_stat_xact_user_tables where relname = 'holdfast_event'")) {
                    row.next();
                    assertThat(row.getLong(1)).isLessThan(5);
                }
            }
        }
        assertThat(newestVersion(url, PostgresqlServer.USER)).isEqualTo(HISTORY);
    }

    private static void writeHistory(String url) {
        try (Bank bank = Bank.open(url)) {
            StoreWriter writer = new StoreWriter(bank.store().commitStore(), Clock.systemUTC(), new PayloadCodec());
            writer.commit(events(IntStream.rangeClosed(1, HISTORY)
                    .mapToObj(version -> writer.draft("notes", "hot", version))
                    .toArray(EventDraft[]::new)));
        }
    }

    private static long newestVersion(String url, String user) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, "");
                PreparedStatement query = connection.prepareStatement(QUERY);
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getLong(2);
        }
    }
}
