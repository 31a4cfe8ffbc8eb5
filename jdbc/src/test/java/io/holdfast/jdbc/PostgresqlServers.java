package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;

/** Starts servers of the version that the build puts on the class path, and prints the version once. */
final class PostgresqlServers {

    /** The version that the build expects; see the profile {@code full}. */
    private static final String EXPECTED = System.getProperty("holdfast.test.postgresql", "17");

    private static final AtomicBoolean LOGGED = new AtomicBoolean();

    private PostgresqlServers() {}

    static EmbeddedPostgres start(EmbeddedPostgres.Builder builder) {
        EmbeddedPostgres server;
        try {
            server = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = queryValue(server, "show server_version");
        if (LOGGED.compareAndSet(false, true)) {
            System.out.println("PostgreSQL " + version);
        }
        assertThat(version).as("the version of the server").startsWith(EXPECTED + ".");
        return server;
    }

    /** Returns the single value of a query. */
    static String queryValue(EmbeddedPostgres server, String query) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }
}
