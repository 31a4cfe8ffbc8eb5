package io.holdfast.jdbc;

import java.time.Duration;

/**
 * The timeouts of the engine's transactions. Both are below the lease of a segment, so that a frozen process does not
 * block other replicas.
 *
 * @param lock how long a transaction waits for a row that another one has locked
 * @param idleInTransaction how long a transaction may be idle while it has rows locked (PostgreSQL); then the server
 *     ends it
 */
public record Timeouts(Duration lock, Duration idleInTransaction) {

    public static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5));
}
