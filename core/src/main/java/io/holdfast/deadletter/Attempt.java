package io.holdfast.deadletter;

import java.time.Instant;

/**
 * One try to handle an event that failed.
 *
 * @param failure what it failed with, in one line
 * @param by the replica that tried, or whoever asked for it; empty if that was not kept
 */
public record Attempt(Instant at, String failure, String by) {}
