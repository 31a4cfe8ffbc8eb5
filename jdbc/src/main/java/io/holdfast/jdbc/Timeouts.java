package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import java.time.Duration;

/**
 * The timeouts of the engine's transactions. The first two are below the lease of a segment, so that a frozen process
 * does not block other replicas.
 *
 * @param lock how long a transaction waits for a row that another one has locked
 * @param idleInTransaction how long a transaction may be idle while it has rows locked (PostgreSQL); then the server
 *     ends it
 * @param network how long a connection waits for a response of the database; after that it is lost. Must be longer than
 *     the lock timeout
 */
public record Timeouts(Duration lock, Duration idleInTransaction, Duration network) {

    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10));

    /**
     * How long an operation waits that changes any number of rows in one statement. Only resets do; everything else is
     * limited to a batch.
     */
    static final Duration LONG_OPERATION = Duration.ofMinutes(5);

    public Timeouts {
        if (network.compareTo(lock) <= 0) {
            throw new PermanentException("the network timeout must be longer than the lock timeout of " + lock
                    + ", but is " + network + "; otherwise waiting for a lock would cost the connection");
        }
    }

    /** Creates timeouts with the default network timeout, or a longer one if the lock timeout requires it. */
    public Timeouts(Duration lock, Duration idleInTransaction) {
        this(lock, idleInTransaction, longer(DEFAULT.network, lock.plusSeconds(5)));
    }

    public Timeouts network(Duration timeout) {
        return new Timeouts(lock, idleInTransaction, timeout);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
