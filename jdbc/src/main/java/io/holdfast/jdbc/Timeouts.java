package io.holdfast.jdbc;

import java.time.Duration;

/**
 * How long an engine's transaction may wait and hold. Both are below the lease of a segment, so that a process that
 * stands still stops nobody.
 *
 * @param lock how long it waits for a row that another has
 * @param idleInTransaction how long it may do nothing while it has rows (PostgreSQL); then the server ends it
 */
public record Timeouts(Duration lock, Duration idleInTransaction) {

    public static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5));
}
