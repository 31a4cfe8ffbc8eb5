package io.holdfast.jdbc;

import java.time.Duration;

/**
 * Where a store finds its database, and how many connections it keeps to it.
 *
 * @param size connections: one for the committer, and one for each call that runs beside it
 * @param timeout how long a call waits for a connection before it is told to try again
 */
public record PoolSettings(String url, String user, String password, int size, Duration timeout) {

    public static final int DEFAULT_SIZE = 10;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    public PoolSettings {
        if (size < 2) {
            throw new IllegalArgumentException(
                    "a pool of " + size + " connections is too small; the committer needs one, and all others one");
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

    /** Without what may be secret: drivers take passwords as parameters of the URL, too. */
    @Override
    public String toString() {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/]*@", "//") + " as user " + user;
    }
}
