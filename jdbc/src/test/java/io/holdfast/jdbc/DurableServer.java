package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** PostgreSQL as in production: committed data is on disk. */
final class DurableServer {

    /** The embedded server has the first two off by default. */
    private static final List<String> SAFEGUARDS = List.of("fsync", "synchronous_commit", "full_page_writes");

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static @Nullable EmbeddedPostgres shared;

    private DurableServer() {}

    /** Starts a server for one test, which closes it. */
    static EmbeddedPostgres start() {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        SAFEGUARDS.forEach(safeguard -> builder.setServerConfig(safeguard, "on"));
        EmbeddedPostgres server = PostgresqlServers.start(builder);
        SAFEGUARDS.forEach(safeguard -> assertThat(PostgresqlServers.queryValue(server, "show " + safeguard))
                .as("%s of the server, without which a crash test proves nothing", safeguard)
                .isEqualTo("on"));
        return server;
    }

    /** Returns the url of a new, empty database in the server of this JVM. */
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
