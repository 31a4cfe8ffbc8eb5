package io.holdfast.admin.processor;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.processor.ProcessorState.SegmentDetails;
import io.holdfast.deadletter.SequenceState;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A processor of a service, as its live replicas see it together. In the seconds after a change, they may differ.
 *
 * @param components the names of its components
 * @param generation 1, plus one per reset
 * @param lag the largest lag of a segment; null if no owner of a segment has answered
 * @param parked the number of parked sequences by state, in the segments whose owners have answered
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProcessorDetails(
        String service,
        String name,
        Mode mode,
        int generation,
        List<String> components,
        @Nullable Long lag,
        Map<SequenceState, Integer> parked,
        List<SegmentDetails> segments,
        List<ProblemDetails> problems) {

    /** Whether the processor handles events. */
    public enum Mode {
        RUNNING,
        PAUSED
    }

    /** Why a replica makes no progress, or too little. */
    public record ProblemDetails(String replica, String problem) {}

    /** Merges what the replicas of a service see. */
    static ProcessorDetails of(String service, String name, Map<String, ProcessorState> replicas) {
        Map<Integer, SegmentDetails> segments = new TreeMap<>();
        Set<String> components = new TreeSet<>();
        replicas.values().forEach(state -> {
            components.addAll(state.components());
            state.segments()
                    .forEach(segment ->
                            segments.merge(segment.number(), segment, (one, other) -> one.isComplete() ? one : other));
        });
        return new ProcessorDetails(
                service,
                name,
                replicas.values().stream().anyMatch(ProcessorState::paused) ? Mode.PAUSED : Mode.RUNNING,
                replicas.values().stream()
                        .mapToInt(ProcessorState::generation)
                        .max()
                        .orElse(1),
                List.copyOf(components),
                lag(segments),
                parked(segments),
                List.copyOf(segments.values()),
                problems(replicas));
    }

    private static @Nullable Long lag(Map<Integer, SegmentDetails> segments) {
        return segments.values().stream()
                .map(SegmentDetails::lag)
                .filter(Objects::nonNull)
                .max(Long::compare)
                .orElse(null);
    }

    private static Map<SequenceState, Integer> parked(Map<Integer, SegmentDetails> segments) {
        Map<SequenceState, Integer> parked = new EnumMap<>(SequenceState.class);
        segments.values().stream()
                .map(SegmentDetails::parked)
                .filter(Objects::nonNull)
                .forEach(counts -> counts.forEach((state, count) -> parked.merge(state, count, Integer::sum)));
        return parked;
    }

    private static List<ProblemDetails> problems(Map<String, ProcessorState> replicas) {
        return replicas.entrySet().stream()
                .flatMap(state -> state.getValue().problems().stream()
                        .map(problem -> new ProblemDetails(state.getKey(), problem)))
                .toList();
    }
}
