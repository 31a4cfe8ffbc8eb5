package io.holdfast.processing;

import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.StreamPosition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One segment of a processor, as this replica knows it.
 *
 * @param owner the replica that works on it, if one does
 * @param claimed whether that is this one; only then the following are known
 * @param positions how far it has come, by stream: everything at or below has been dealt with. What is stored may lie
 *     lower by events that were for others
 * @param lag positions between the newest events of the streams and these
 * @param ahead how many events above the positions have been dealt with or are being
 * @param parked how many sequences are parked, by what they wait for
 * @param blockedBy the event that cannot even be parked, if the segment is held by one
 * @param failures how often it failed in a row
 * @param error what it failed with, or why it is not worked on
 * @param slowHandlers handlers that run for longer than their timeout
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
        List<SlowHandler> slowHandlers) {}
