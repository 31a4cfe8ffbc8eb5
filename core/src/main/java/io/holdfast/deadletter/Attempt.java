package io.holdfast.deadletter;

import java.time.Instant;

/**
 * One try to handle an event that failed.
 *
 * @param failure what it failed with, in one line
 */
public record Attempt(Instant at, String failure) {}
