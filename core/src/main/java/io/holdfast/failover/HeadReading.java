package io.holdfast.failover;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The head of the log.
 *
 * @param position the position of the newest event, or 0
 * @param id the id of the newest event; null if the log is empty or retention has removed the event
 * @param epoch the newest epoch of the log
 * @param commits increased by every commit
 * @param idAtPosition the id of the event at {@link Witnessed#position}, or null if it has none
 * @param unverifiedLost how many of {@link Witnessed#unverified} are above the head, or have another event at their
 *     position. Positions have no gaps, so one without an event is that of an entry that retention has removed
 */
public record HeadReading(
        long position, @Nullable UUID id, int epoch, long commits, @Nullable UUID idAtPosition, int unverifiedLost) {}
