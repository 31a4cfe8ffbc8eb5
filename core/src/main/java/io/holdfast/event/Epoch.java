package io.holdfast.event;

/**
 * A life of a log. A restore from a backup begins a new one: what stood above {@code beganAt} before is forgotten, and
 * other events will stand there.
 *
 * @param number 1 for the first
 * @param startPosition the position of the log's newest event when it began; 0 for the first
 */
public record Epoch(int number, long startPosition) {}
