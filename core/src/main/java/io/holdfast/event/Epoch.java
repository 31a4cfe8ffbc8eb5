package io.holdfast.event;

/**
 * One incarnation of a log. Restoring the database from a backup starts a new one: the earlier events above
 * {@code startPosition} are lost, and other events get their positions.
 *
 * @param number 1 for the first
 * @param startPosition the position of the log's newest event when the epoch started; 0 for the first
 */
public record Epoch(int number, long startPosition) {}
