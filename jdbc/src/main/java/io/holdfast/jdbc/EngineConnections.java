package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the engine's connections. Thread-safe. */
final class EngineConnections {

    private static final Logger log = LoggerFactory.getLogger(EngineConnections.class);

    private static final int MINIMUM = 2;

    private static final String DRIVER_TIMEOUT =
            "Add socketTimeout (in seconds) and tcpKeepAlive=true to the JDBC URL, or the properties of your driver";

    private final DataSource dataSource;
    private final ConnectionTraits traits;
    private final Timeouts timeouts;
    private final @Nullable ConnectionPool pool;

    EngineConnections(DataSource dataSource, ConnectionTraits traits, Timeouts timeouts) {
        this.dataSource = dataSource;
        this.traits = traits;
        this.timeouts = timeouts;
        this.pool = ConnectionPool.of(dataSource, timeouts.network()).orElse(null);
    }

    ConnectionTraits traits() {
        return traits;
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** @return the size of the pool, if it is known */
    OptionalInt maximum() {
        return pool == null ? OptionalInt.empty() : OptionalInt.of(pool.maximumSize());
    }

    /** Opens a connection that waits for the database at most as long as the network timeout, or that of the pool. */
    EngineConnection open() throws SQLException {
        int network = milliseconds(timeouts.network());
        return open(before -> before == 0 ? network : Math.min(before, network));
    }

    /** Opens a connection for an operation that may take longer than others. */
    EngineConnection openForLongOperation() throws SQLException {
        return open(before -> milliseconds(Timeouts.LONG_OPERATION));
    }

    private static int milliseconds(Duration time) {
        return Math.toIntExact(time.toMillis());
    }

    private EngineConnection open(IntUnaryOperator limit) throws SQLException {
        Connection connection;
        try {
            connection = dataSource.getConnection();
        } catch (SQLTransientConnectionException e) {
            evictAll();
            throw e;
        }
        return EngineConnection.of(connection, traits, limit, this::evictAll);
    }

    private boolean hasLoginTimeout() {
        return traits.hasDriverTimeout() || (pool != null && pool.hasLoginTimeout());
    }

    private void evictAll() {
        if (pool != null) {
            pool.evictAll();
        }
    }

    /** @throws PermanentException if the pool is so small that the store could not even migrate its tables */
    void requireEnough(String service) {
        if (pool != null && pool.maximumSize() < MINIMUM) {
            throw new PermanentException("the connection pool of service " + service + " has "
                    + pool.maximumSize() + " connection and needs at least " + MINIMUM
                    + ", because a migration uses two. Enlarge it (Spring Boot:"
                    + " spring.datasource.hikari.maximum-pool-size)");
        }
    }

    /** Logs a warning for each setting of the pool that lets a thread of the engine wait longer than the timeouts allow. */
    void warnIfUnbounded(String service) {
        findUnboundedWaits(service).forEach(log::warn);
    }

    List<String> findUnboundedWaits(String service) {
        List<String> warnings = new ArrayList<>();
        if (traits.dialect() != Dialect.H2 && !traits.hasNetworkTimeout()) {
            warnings.add("The connections of service " + service + " do not support a network timeout"
                    + " (Connection.setNetworkTimeout). If the network drops one, its thread waits until the driver gives"
                    + " up. " + DRIVER_TIMEOUT);
        } else if (traits.dialect() != Dialect.H2 && !hasLoginTimeout()) {
            warnings.add("The connection pool of service " + service + " opens connections without a timeout. If the"
                    + " network drops one while it is opened, the pool may wait for it permanently and open no other"
                    + " one. Add loginTimeout (in seconds) and tcpKeepAlive=true to the JDBC URL, or the properties of"
                    + " your driver");
        }
        if (pool != null && pool.connectionTimeout().compareTo(timeouts.network()) > 0) {
            warnings.add("The connection pool of service " + service + " lets a thread wait "
                    + pool.connectionTimeout() + " for a connection, longer than the network timeout of "
                    + timeouts.network() + ": while the pool is exhausted or the database hangs, a replica loses its"
                    + " leases meanwhile. Set its connectionTimeout to " + timeouts.network()
                    + " or less (Spring Boot: spring.datasource.hikari.connection-timeout)");
        }
        return warnings;
    }
}
