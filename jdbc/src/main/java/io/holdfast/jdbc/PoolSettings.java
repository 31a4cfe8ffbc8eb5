package io.holdfast.jdbc;

import java.time.Duration;

/**
 * The database of a store, and the size of its connection pool.
 *
 * @param size the number of connections: one for the committer, and one for each concurrent call
 * @param timeout how long a call waits for a connection before it fails with a retryable error
 */
public record PoolSettings(String url, String user, String password, int size, Duration timeout) {

    public static final int DEFAULT_SIZE = 10;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    public PoolSettings {
        if (size < 2) {
            throw new IllegalArgumentException("a pool of " + size
                    + " connections is too small; use at least 2, one for the committer and one for all other calls");
        }
    }

    /** @param url a JDBC URL of PostgreSQL or H2 */
    public static PoolSettings of(String url, String user, String password) {
        return new PoolSettings(url, user, password, DEFAULT_SIZE, DEFAULT_TIMEOUT);
    }

    public PoolSettings size(int newSize) {
        return new PoolSettings(url, user, password, newSize, timeout);
    }

    public PoolSettings timeout(Duration newTimeout) {
        return new PoolSettings(url, user, password, size, newTimeout);
    }

    /** Omits possible secrets: drivers also accept passwords as URL parameters. */
    @Override
    public String toString() {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/]*@", "//") + " as user " + user;
    }
}
