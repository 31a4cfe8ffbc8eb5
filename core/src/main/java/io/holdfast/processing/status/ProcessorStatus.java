package io.holdfast.processing.status;

import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.StreamPosition;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state of a processor, as this replica sees it.
 *
 * @param generation 1, plus one per reset
 * @param paused whether the processor is paused, on all replicas
 * @param segments all segments, by number
 * @param error why the processor cannot work at all, if it cannot
 * @param stoppedStreams the streams that cannot be read further, with the reason and what to do
 */
public record ProcessorStatus(
        int generation,
        boolean paused,
        List<SegmentStatus> segments,
        Optional<String> error,
        Map<String, String> stoppedStreams) {

    public static final ProcessorStatus NEW = new ProcessorStatus(1, false, List.of(), Optional.empty(), Map.of());

    /** Returns the same status with an error that keeps the whole processor from working. */
    public ProcessorStatus withError(String newError) {
        return new ProcessorStatus(generation, paused, segments, Optional.of(newError), stoppedStreams);
    }

    /** Returns whether this replica owns all segments. */
    public boolean isClaimed() {
        return !segments.isEmpty() && segments.stream().allMatch(SegmentStatus::claimed);
    }

    /**
     * Returns the lowest position of all segments known here, by stream: every event at or below it has been processed.
     */
    public Map<String, StreamPosition> positions() {
        Map<String, StreamPosition> lowest = new HashMap<>();
        segments.forEach(segment -> segment.positions()
                .forEach((stream, position) -> lowest.merge(
                        stream, position, (one, other) -> one.position() <= other.position() ? one : other)));
        return lowest;
    }

    /** Returns the number of parked sequences in this replica's segments, by state. */
    public Map<SequenceState, Integer> parked() {
        Map<SequenceState, Integer> parked = new EnumMap<>(SequenceState.class);
        segments.forEach(
                segment -> segment.parked().forEach((state, count) -> parked.merge(state, count, Integer::sum)));
        return parked;
    }

    /** Returns all problems in one list; empty if there are none. */
    public List<String> problems() {
        return Stream.of(
                        error.stream(),
                        stoppedStreams.values().stream(),
                        segments.stream().flatMap(segment -> segment.error().stream()),
                        segments.stream()
                                .flatMap(segment -> segment.slowHandlers().stream())
                                .map(slow -> "DEGRADED: " + slow.component() + " has been handling " + slow.type() + " "
                                        + slow.event() + " since " + slow.since()),
                        segments.stream().flatMap(segment -> segment.waitingForThreadSince().stream()
                                .map(since -> "DEGRADED: segment " + segment.number()
                                        + " has been waiting for a handler thread since " + since)))
                .flatMap(stream -> stream)
                .distinct()
                .toList();
    }
}
