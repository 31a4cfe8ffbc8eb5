package io.holdfast.failover;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The head of the log.
 *
 * @param position the position of the newest event, or 0
 * @param commits increased by every commit
 * @param idAtPosition the id of the event at {@link Witnessed#position}, or null if it has none
 * @param foldedFound how many of {@link Witnessed#foldedIds} the log contains
 */
public record HeadReading(long position, long commits, @Nullable UUID idAtPosition, int foldedFound) {}
