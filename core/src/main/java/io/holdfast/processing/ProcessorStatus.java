package io.holdfast.processing;

import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.StreamPosition;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a processor is doing, as this replica knows it.
 *
 * @param generation 1, and one more with every reset
 * @param paused whether nobody is to work on it
 * @param segments all of them, by number
 * @param error why it cannot work at all, if it cannot
 * @param stoppedStreams streams that cannot be read on, with the reason and what to do
 */
public record ProcessorStatus(
        int generation,
        boolean paused,
        List<SegmentStatus> segments,
        Optional<String> error,
        Map<String, String> stoppedStreams) {

    static final ProcessorStatus NEW = new ProcessorStatus(1, false, List.of(), Optional.empty(), Map.of());

    /** Whether this replica works on all of it. */
    public boolean isClaimed() {
        return !segments.isEmpty() && segments.stream().allMatch(SegmentStatus::claimed);
    }

    /** How far all segments that are known here have come, by stream: everything at or below is dealt with. */
    public Map<String, StreamPosition> positions() {
        Map<String, StreamPosition> lowest = new HashMap<>();
        segments.forEach(segment -> segment.positions()
                .forEach((stream, position) -> lowest.merge(
                        stream, position, (one, other) -> one.position() <= other.position() ? one : other)));
        return lowest;
    }

    /** How many sequences are parked here, by what they wait for. */
    public Map<SequenceState, Integer> parked() {
        Map<SequenceState, Integer> parked = new EnumMap<>(SequenceState.class);
        segments.forEach(
                segment -> segment.parked().forEach((state, count) -> parked.merge(state, count, Integer::sum)));
        return parked;
    }

    /** All that is wrong, in one list; empty if nothing is. */
    public List<String> problems() {
        return Stream.of(
                        error.stream(),
                        stoppedStreams.values().stream(),
                        segments.stream().flatMap(segment -> segment.error().stream()),
                        segments.stream()
                                .flatMap(segment -> segment.slowHandlers().stream())
                                .map(slow -> "DEGRADED: " + slow.component() + " has handled " + slow.type() + " "
                                        + slow.event() + " since " + slow.since()))
                .flatMap(stream -> stream)
                .distinct()
                .toList();
    }
}
