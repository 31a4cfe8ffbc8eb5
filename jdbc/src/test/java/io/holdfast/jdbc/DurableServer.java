package io.holdfast.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** PostgreSQL as in production: what it has committed is on the disk. */
final class DurableServer {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static @Nullable EmbeddedPostgres shared;

    private DurableServer() {}

    /** A server for one test, which closes it. */
    static EmbeddedPostgres start() {
        return PostgresqlServers.start(
                EmbeddedPostgres.builder().setServerConfig("fsync", "on").setServerConfig("synchronous_commit", "on"));
    }

    /** The url of a new, empty database in the server of this JVM. */
    static synchronized String newDatabase() {
        EmbeddedPostgres running = shared == null ? start() : shared;
        shared = running;
        return newDatabase(running);
    }

    static String newDatabase(EmbeddedPostgres server) {
        String name = "durable" + NUMBER.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return server.getJdbcUrl("postgres", name);
    }
}
