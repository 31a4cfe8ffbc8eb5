package io.holdfast.deadletter;

import java.time.Instant;

/**
 * A failed attempt to handle an event.
 *
 * @param failure the failure in one line
 * @param by the replica that made the attempt, or the operator who requested it; empty if not recorded
 */
public record Attempt(Instant at, String failure, String by) {}
