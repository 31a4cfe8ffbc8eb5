package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.testsupport.PostgresqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;

/** Real, empty databases, which are emptied and reused. One server per JVM. */
final class TestDatabase {

    private static final List<String> TABLES = List.of(
            "holdfast_event",
            "holdfast_stream",
            "holdfast_snapshot",
            "holdfast_row",
            "holdfast_token",
            "holdfast_definition",
            "holdfast_idempotency",
            "holdfast_outbox",
            "holdfast_outbox_key",
            "holdfast_consumer_group",
            "holdfast_replica",
            "holdfast_known_service",
            "holdfast_sequence",
            "holdfast_letter",
            "holdfast_queue",
            "holdfast_action",
            "holdfast_action_item",
            "holdfast_resolved_letter",
            "holdfast_cause_group",
            JdbcApplicationRows.TABLE);
    private static final Deque<TestDatabase> FREE_POSTGRESQL = new ArrayDeque<>();
    private static final Deque<TestDatabase> FREE_H2 = new ArrayDeque<>();

    private final Dialect dialect;
    private final HikariDataSource dataSource;

    private TestDatabase(Dialect dialect, String url, String user) {
        this.dialect = dialect;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(1);
        this.dataSource = new HikariDataSource(config);
        run("create table " + JdbcApplicationRows.TABLE
                + " (number bigint generated always as identity primary key, content varchar(255) not null)");
    }

    static synchronized TestDatabase acquire(Dialect dialect) {
        TestDatabase free = free(dialect).pollFirst();
        return free != null ? free : dialect == Dialect.POSTGRESQL ? newPostgresql() : newH2();
    }

    DataSource dataSource() {
        return dataSource;
    }

    String url() {
        return dataSource.getJdbcUrl();
    }

    /** Empties the database for the next test. */
    void release() {
        TABLES.forEach(table -> run("delete from " + table));
        String newId = dialect == Dialect.POSTGRESQL ? "gen_random_uuid()" : "random_uuid()";
        run("update holdfast_log set log_id = " + newId
                + ", epoch = 1, head_position = 0, commits = 0, service = null");
        run("delete from holdfast_epoch where epoch > 1");
        synchronized (TestDatabase.class) {
            free(dialect).addFirst(this);
        }
    }

    void backdate(String table, String column, Duration time) {
        String older = dialect == Dialect.POSTGRESQL
                ? column + " - interval '" + time.toMillis() + " milliseconds'"
                : "dateadd(millisecond, " + time.negated().toMillis() + ", " + column + ")";
        run("update " + table + " set " + column + " = " + older);
    }

    private void run(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static Deque<TestDatabase> free(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? FREE_POSTGRESQL : FREE_H2;
    }

    private static TestDatabase newPostgresql() {
        return new TestDatabase(Dialect.POSTGRESQL, PostgresqlServer.shared().newDatabase(), PostgresqlServer.USER);
    }

    private static TestDatabase newH2() {
        try {
            Path folder = Files.createTempDirectory("holdfast-h2");
            String url = "jdbc:h2:file:" + folder.resolve("log") + ";WRITE_DELAY=0";
            return new TestDatabase(Dialect.H2, url, "sa");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
