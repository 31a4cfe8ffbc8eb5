package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The connections of a store.
 *
 * @param close releases them when the store is closed
 */
record Connections(DataSource dataSource, Runnable close) {

    /** Uses the caller's pool, which the caller closes. */
    static Connections of(DataSource dataSource) {
        return new Connections(dataSource, () -> {});
    }

    /** Opens a pool that the store owns. */
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

    /** Connects once without the pool, which would log an error and wrap it twice. */
    private static void testConnection(PoolSettings settings) {
        try {
            DriverManager.getDriver(settings.url());
        } catch (SQLException e) {
            throw new PermanentException(
                    "no JDBC driver found for " + settings
                            + "; the URL must be one of PostgreSQL or H2, and the database's"
                            + " driver must be on the class path",
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
