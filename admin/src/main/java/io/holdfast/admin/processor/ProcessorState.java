package io.holdfast.admin.processor;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.status.ProcessorStatus;
import io.holdfast.processing.status.SegmentStatus;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A processor, as one replica sees it. */
record ProcessorState(
        String name,
        List<String> components,
        int generation,
        boolean paused,
        List<SegmentDetails> segments,
        List<String> problems) {

    /** The processors of a replica. */
    record Answer(List<ProcessorState> processors) {}

    static ProcessorState of(String name, EventProcessor processor) {
        ProcessorStatus status = processor.status();
        return new ProcessorState(
                name,
                processor.components().stream().map(Component::name).toList(),
                status.generation(),
                status.paused(),
                status.segments().stream().map(SegmentDetails::of).toList(),
                status.problems());
    }

    /**
     * A segment. Everything but its number, mask and owner is known to its owner only, and null if that did not answer.
     *
     * @param owner the replica that owns it; null if none does
     * @param lag the number of positions between the heads of the streams and the segment
     * @param ahead the number of events above the positions that are processed or in progress
     * @param positions the position reached in each stream
     * @param parked the number of parked sequences, by state
     * @param blockedBy the event that can neither be handled nor parked, if one blocks the segment
     * @param failures the number of failures in a row
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SegmentDetails(
            int number,
            int mask,
            @Nullable String owner,
            @Nullable Long lag,
            @Nullable Integer ahead,
            @Nullable Map<String, Long> positions,
            @Nullable Map<SequenceState, Integer> parked,
            @Nullable UUID blockedBy,
            @Nullable Integer failures) {

        static SegmentDetails of(SegmentStatus status) {
            String owner = status.owner().orElse(null);
            return status.claimed()
                    ? new SegmentDetails(
                            status.number(),
                            status.mask(),
                            owner,
                            status.lag(),
                            status.ahead(),
                            status.positions().entrySet().stream()
                                    .collect(Collectors.toMap(Entry::getKey, reached -> reached.getValue()
                                            .position())),
                            status.parked(),
                            status.blockedBy().orElse(null),
                            status.failures())
                    : new SegmentDetails(status.number(), status.mask(), owner, null, null, null, null, null, null);
        }

        /** Returns whether its owner has reported it. */
        boolean isComplete() {
            return lag != null;
        }
    }
}
