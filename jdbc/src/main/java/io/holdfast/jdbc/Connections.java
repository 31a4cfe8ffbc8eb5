package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * The connections of a store.
 *
 * @param migrations connections without a timeout: on a large table, one statement of a migration may take hours
 * @param close releases them when the store is closed
 */
record Connections(DataSource dataSource, DataSource migrations, Runnable close) {

    /** Tests idle connections for less time than a caller waits for one, so that the pool can replace a dead one. */
    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);

    /** Uses the caller's pool, which the caller closes. */
    static Connections of(DataSource dataSource) {
        return new Connections(dataSource, dataSource, () -> {});
    }

    /** Opens a pool that the store owns. */
    static Connections pool(String service, PoolSettings settings, Timeouts timeouts) {
        Properties limits = limits(settings, timeouts);
        testConnection(settings, limits);
        HikariConfig config = new HikariConfig();
        config.setPoolName("holdfast-" + service);
        config.setJdbcUrl(settings.url());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.size());
        config.setConnectionTimeout(settings.timeout().toMillis());
        config.setValidationTimeout(
                Math.min(VALIDATION_TIMEOUT.toMillis(), settings.timeout().toMillis()));
        config.setDataSourceProperties(limits);
        HikariDataSource pool = new HikariDataSource(config);
        return new Connections(pool, withoutNetworkTimeout(pool), pool::close);
    }

    /** Removes the network timeout of connections. The pool restores it when they come back. */
    private static DataSource withoutNetworkTimeout(HikariDataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                Connections.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        return method.invoke(pool, arguments);
                    }
                    Connection connection = pool.getConnection();
                    connection.setNetworkTimeout(Runnable::run, 0);
                    return connection;
                });
    }

    /**
     * Returns properties that limit how long PostgreSQL's driver waits, also while it connects. Those in the URL take
     * precedence. H2 rejects properties that it does not know.
     */
    private static Properties limits(PoolSettings settings, Timeouts timeouts) {
        Properties limits = new Properties();
        if (settings.url().startsWith("jdbc:postgresql:")) {
            limits.setProperty("tcpKeepAlive", "true");
            limits.setProperty(
                    "socketTimeout",
                    Long.toString(timeouts.network().plusMillis(999).toSeconds()));
        }
        return limits;
    }

    /** Connects once without the pool, which would log an error and wrap it twice. */
    private static void testConnection(PoolSettings settings, Properties limits) {
        try {
            DriverManager.getDriver(settings.url());
        } catch (SQLException e) {
            throw new PermanentException(
                    "no JDBC driver found for " + settings
                            + "; the URL must be one of PostgreSQL or H2, and the database's"
                            + " driver must be on the class path",
                    e);
        }
        Properties properties = new Properties();
        properties.putAll(limits);
        properties.setProperty("user", settings.user());
        properties.setProperty("password", settings.password());
        try (Connection connection = DriverManager.getConnection(settings.url(), properties)) {
            Dialect.of(connection);
        } catch (SQLException e) {
            throw SqlErrors.of("connecting to " + settings, e);
        }
    }
}
