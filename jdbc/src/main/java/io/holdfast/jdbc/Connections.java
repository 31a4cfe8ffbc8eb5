package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Where a store takes its connections from.
 *
 * @param close what is to be done with it when the store is closed
 */
record Connections(DataSource dataSource, Runnable close) {

    /** A pool of the user's, who closes it. */
    static Connections of(DataSource dataSource) {
        return new Connections(dataSource, () -> {});
    }

    /** A pool of the store's own. */
    static Connections pool(String service, PoolSettings settings) {
        testConnection(settings);
        HikariConfig config = new HikariConfig();
        config.setPoolName("holdfast-" + service);
        config.setJdbcUrl(settings.url());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.size());
        config.setConnectionTimeout(settings.timeout().toMillis());
        HikariDataSource pool = new HikariDataSource(config);
        return new Connections(pool, pool::close);
    }

    /** The pool would log what is wrong, and wrap it twice. */
    private static void testConnection(PoolSettings settings) {
        try {
            DriverManager.getDriver(settings.url());
        } catch (SQLException e) {
            throw new PermanentException(
                    "no driver for " + settings
                            + " is there; the URL must be one of PostgreSQL or H2, and the database's"
                            + " driver on the class path",
                    e);
        }
        try (Connection connection =
                DriverManager.getConnection(settings.url(), settings.user(), settings.password())) {
            Dialect.of(connection);
        } catch (SQLException e) {
            throw SqlErrors.of("connecting to " + settings, e);
        }
    }
}
