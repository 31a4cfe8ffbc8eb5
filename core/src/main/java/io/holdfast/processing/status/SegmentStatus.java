package io.holdfast.processing.status;

import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One segment of a processor, as this replica sees it.
 *
 * @param owner the replica that owns it, if any
 * @param claimed whether this replica owns it; only then are the values below complete
 * @param positions the positions by stream: every event at or below them has been processed. The stored positions may
 *     be lower, by skipped events
 * @param lag the number of positions between the heads of the streams and these positions
 * @param ahead the number of events above the positions that are processed or in progress
 * @param parked the number of parked sequences, by state
 * @param blockedBy the event that can neither be handled nor parked, if one blocks the segment
 * @param failures the number of failures in a row
 * @param error the last failure, or why no replica works on the segment
 * @param slowHandlers the handlers that have exceeded their timeout
 * @param waitingForThreadSince since when its events have waited for a handler thread, if that is 10 s ago or more
 */
public record SegmentStatus(
        int number,
        int mask,
        Optional<String> owner,
        boolean claimed,
        Map<String, StreamPosition> positions,
        long lag,
        int ahead,
        Map<SequenceState, Integer> parked,
        Optional<UUID> blockedBy,
        int failures,
        Optional<String> error,
        List<SlowHandler> slowHandlers,
        Optional<Instant> waitingForThreadSince) {

    /**
     * A synchronous handler that has exceeded its timeout. It is not interrupted, because an interrupt could close a
     * database.
     *
     * @param stack the stack trace of its thread
     */
    public record SlowHandler(String component, UUID event, String type, Instant since, String stack) {}
}
