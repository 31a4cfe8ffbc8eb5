package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** An embedded PostgreSQL server with production durability settings. */
final class PostgresqlServer implements BenchDatabase {

    private final TemporaryFolder folder = new TemporaryFolder();
    private final EmbeddedPostgres server;
    private final List<HikariDataSource> pools = new ArrayList<>();

    PostgresqlServer() {
        try {
            this.server = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.path().resolve("data"))
                    .setCleanDataDirectory(true)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("shared_buffers", "512MB")
                    .setServerConfig("maintenance_work_mem", "512MB")
                    // Checkpoints run only between measurements, when a benchmark requests them.
                    .setServerConfig("checkpoint_timeout", "1h")
                    .setServerConfig("max_wal_size", "8GB")
                    // Skips the WAL for a table that is filled in the transaction that truncated it.
                    .setServerConfig("wal_level", "minimal")
                    .setServerConfig("max_wal_senders", "0")
                    .start();
        } catch (IOException e) {
            throw Failures.of("starting PostgreSQL", e);
        }
    }

    @Override
    public String name() {
        return "PostgreSQL " + query("show server_version").split(" ", 2)[0];
    }

    @Override
    public HikariDataSource create(String database, int connections) {
        query("create database " + database);
        return connect(database, connections);
    }

    /** Opens another pool to an existing database. */
    HikariDataSource connect(String database, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.getJdbcUrl("postgres", database));
        config.setUsername("postgres");
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    @Override
    public void printSettings() {
        StringBuilder settings = new StringBuilder();
        for (String name : List.of(
                "fsync", "synchronous_commit", "wal_sync_method", "full_page_writes", "shared_buffers", "wal_level")) {
            settings.append(", ").append(name).append(' ').append(query("show " + name));
        }
        Report.line("%s%s", name(), settings);
        Report.line(
                "measured: smallest commit %.3f ms, fsync of 8 KB %.3f ms",
                SmallestCommit.measure(this), folder.fsync());
    }

    @Override
    public void settle() {
        query("checkpoint");
    }

    void fullPageWrites(boolean on) {
        query("alter system set full_page_writes = " + (on ? "on" : "off"));
        query("select pg_reload_conf()");
        query("select pg_sleep(0.3)");
        String now = query("show full_page_writes");
        if (!now.equals(on ? "on" : "off")) {
            throw new PermanentException("full_page_writes should be " + (on ? "on" : "off") + ", but is " + now);
        }
    }

    /** Returns the end of the write-ahead log in bytes. */
    long walEnd() {
        return Long.parseLong(query("select (pg_current_wal_insert_lsn() - '0/0')::bigint"));
    }

    /**
     * Returns the rows inserted, updated and deleted so far, by table. Exact, because a session flushes its statistics
     * when it ends. Waits until all connections to the database are closed.
     */
    Map<String, Long> rowsWritten(String database) {
        while (!query("select count(*) from pg_stat_activity where datname = '" + database + "'")
                .equals("0")) {
            LockSupport.parkNanos(1_000_000);
        }
        Map<String, Long> written = new TreeMap<>();
        try (Connection connection = server.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select relname, n_tup_ins + n_tup_upd + n_tup_del from pg_stat_user_tables")) {
            while (row.next()) {
                written.put(row.getString(1), row.getLong(2));
            }
        } catch (SQLException e) {
            throw Failures.of("reading the row statistics", e);
        }
        return written;
    }

    private String query(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                return row.next() ? String.valueOf(row.getString(1)) : "";
            }
        } catch (SQLException e) {
            throw Failures.of(sql, e);
        }
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        try {
            server.close();
        } catch (IOException e) {
            throw Failures.of("stopping PostgreSQL", e);
        } finally {
            folder.close();
        }
    }
}
