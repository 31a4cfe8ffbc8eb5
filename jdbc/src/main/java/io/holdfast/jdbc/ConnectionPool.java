package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** The HikariCP pool behind a DataSource. Other pools are used as they are. Thread-safe. */
final class ConnectionPool {

    private final HikariDataSource pool;
    private final long evictionIntervalNanos;
    private final AtomicLong evictedNanos;

    private ConnectionPool(HikariDataSource pool, Duration evictionInterval) {
        this.pool = pool;
        this.evictionIntervalNanos = evictionInterval.toNanos();
        this.evictedNanos = new AtomicLong(System.nanoTime() - evictionIntervalNanos);
    }

    /** @param evictionInterval the minimum time between two evictions of all connections */
    static Optional<ConnectionPool> of(DataSource dataSource, Duration evictionInterval) {
        try {
            return dataSource instanceof HikariDataSource || dataSource.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(new ConnectionPool(dataSource.unwrap(HikariDataSource.class), evictionInterval))
                    : Optional.empty();
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            return Optional.empty(); // a DataSource that does not implement the methods is not HikariCP's
        }
    }

    int maximumSize() {
        return pool.getMaximumPoolSize();
    }

    /**
     * Returns whether PostgreSQL's driver limits the time to open a connection. The login timeout of JDBC, which HikariCP
     * sets for all drivers of the process, has no effect on it.
     */
    boolean hasLoginTimeout() {
        String url = Objects.requireNonNullElse(pool.getJdbcUrl(), "");
        return url.contains("loginTimeout=") || pool.getDataSourceProperties().containsKey("loginTimeout");
    }

    Duration connectionTimeout() {
        return Duration.ofMillis(pool.getConnectionTimeout());
    }

    /**
     * Closes all idle connections, and the others when they come back. If one connection was lost, the others probably
     * are as well. The pool would otherwise test them one after another, each until its validation times out.
     */
    void evictAll() {
        long now = System.nanoTime();
        long last = evictedNanos.get();
        HikariPoolMXBean connections = pool.getHikariPoolMXBean();
        if (connections != null && now - last >= evictionIntervalNanos && evictedNanos.compareAndSet(last, now)) {
            connections.softEvictConnections();
        }
    }
}
