package io.holdfast.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An embedded PostgreSQL server of the version that the build puts on the class path. Closing it stops the server and
 * deletes its data. Thread-safe.
 */
public final class PostgresqlServer implements AutoCloseable {

    /** The user of all databases, without a password. */
    public static final String USER = "postgres";

    /** The version that the build expects; see the profile {@code full} of {@code jdbc}. */
    private static final String EXPECTED = System.getProperty("holdfast.test.postgresql", "17");

    /** The embedded server has the first two off by default. */
    private static final List<String> SAFEGUARDS = List.of("fsync", "synchronous_commit", "full_page_writes");

    private static final String DATABASE_PREFIX = "test";
    private static final AtomicBoolean LOGGED = new AtomicBoolean();
    private static @Nullable PostgresqlServer shared;
    private static @Nullable PostgresqlServer sharedDurable;

    private final AtomicInteger databases = new AtomicInteger();
    private final EmbeddedPostgres server;
    private final PostgresqlProcesses processes;

    @SuppressWarnings("SystemOut") // the build's output shows which version was tested
    private PostgresqlServer(EmbeddedPostgres.Builder builder) {
        try {
            this.server = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.processes = new PostgresqlProcesses(Path.of(query("show data_directory")));
        String version = query("show server_version");
        if (LOGGED.compareAndSet(false, true)) {
            System.out.println("PostgreSQL " + version);
        }
        assertThat(version).as("the version of the server").startsWith(EXPECTED + ".");
    }

    /** Starts a server that is fast because it does not wait for the disk. A crash may lose committed data. */
    public static PostgresqlServer start() {
        return new PostgresqlServer(EmbeddedPostgres.builder());
    }

    /** Starts a server as in production: committed data is on disk. */
    public static PostgresqlServer startDurable() {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        SAFEGUARDS.forEach(safeguard -> builder.setServerConfig(safeguard, "on"));
        PostgresqlServer server = new PostgresqlServer(builder);
        SAFEGUARDS.forEach(safeguard -> assertThat(server.query("show " + safeguard))
                .as("%s of the server, without which a crash test proves nothing", safeguard)
                .isEqualTo("on"));
        return server;
    }

    /** Returns the fast server of this JVM, which runs until the JVM exits. Do not close it. */
    public static synchronized PostgresqlServer shared() {
        PostgresqlServer running = shared == null ? start() : shared;
        shared = running;
        return running;
    }

    /** Returns the durable server of this JVM, which runs until the JVM exits. Do not close it. */
    public static synchronized PostgresqlServer sharedDurable() {
        PostgresqlServer running = sharedDurable == null ? startDurable() : sharedDurable;
        sharedDurable = running;
        return running;
    }

    /** Creates an empty database and returns its URL. */
    public String newDatabase() {
        String name = DATABASE_PREFIX + databases.incrementAndGet();
        execute("create database " + name);
        return server.getJdbcUrl(USER, name);
    }

    /** Terminates all connections to databases of {@link #newDatabase}. */
    public void terminateConnections() {
        execute("select pg_terminate_backend(pid) from pg_stat_activity where datname like '" + DATABASE_PREFIX
                + "%' and pid <> pg_backend_pid()");
    }

    /**
     * Copies a database, as an asynchronous standby has it. Terminates its connections for that moment.
     *
     * @return the name of the copy
     */
    public String copyDatabase(String url) {
        String name = databaseName(url);
        disconnect(name);
        execute("create database " + name + "_standby template " + name);
        execute("alter database " + name + " allow_connections true");
        return name + "_standby";
    }

    /** Replaces a database with a copy, under the same address, and terminates its connections. */
    public void failOver(String url, String copy) {
        String name = databaseName(url);
        disconnect(name);
        execute("alter database " + name + " rename to " + name + "_failed");
        execute("alter database " + copy + " rename to " + name);
    }

    private void disconnect(String database) {
        execute("alter database " + database + " allow_connections false");
        execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '" + database + "'");
    }

    private static String databaseName(String url) {
        return url.replaceAll("^.*/|[?].*$", "");
    }

    /** Crashes the server and restarts it with the same options and data. */
    public void crashAndRestart() {
        processes.crashAndRestart();
    }

    /** Freezes the server with all connections open. */
    public void freeze() {
        processes.signal(Signal.STOP);
    }

    /** Resumes a frozen server. Does nothing if it is not frozen. */
    public void resume() {
        processes.signal(Signal.CONT);
    }

    private void execute(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Returns the single value of a query. */
    private String query(String sql) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
