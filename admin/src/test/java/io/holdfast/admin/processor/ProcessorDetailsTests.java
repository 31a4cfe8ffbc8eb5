package io.holdfast.admin.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.processor.ProcessorDetails.Mode;
import io.holdfast.admin.processor.ProcessorDetails.ProblemDetails;
import io.holdfast.admin.processor.ProcessorState.SegmentDetails;
import io.holdfast.deadletter.SequenceState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProcessorDetailsTests {

    private static SegmentDetails owned(int number, String owner, long lag, int pending) {
        return new SegmentDetails(
                number, 1, owner, lag, 0, Map.of("orders", 7L), Map.of(SequenceState.PENDING, pending), null, 0);
    }

    private static SegmentDetails seen(int number, @Nullable String owner) {
        return new SegmentDetails(number, 1, owner, null, null, null, null, null, null);
    }

    private static ProcessorState state(int generation, boolean paused, List<SegmentDetails> segments) {
        return new ProcessorState("shipping", List.of("packing"), generation, paused, segments, List.of());
    }

    private static ProcessorDetails merge(Map<String, ProcessorState> replicas) {
        return ProcessorDetails.of("warehouse", "shipping", replicas);
    }

    @Test
    void takesEachSegmentFromItsOwner() {
        ProcessorDetails merged = merge(Map.of(
                "one", state(1, false, List.of(owned(0, "one", 3, 2), seen(1, "two"))),
                "two", state(1, false, List.of(seen(0, "one"), owned(1, "two", 5, 1)))));

        assertThat(merged.segments()).containsExactly(owned(0, "one", 3, 2), owned(1, "two", 5, 1));
        assertThat(merged.lag()).isEqualTo(5);
        assertThat(merged.parked()).isEqualTo(Map.of(SequenceState.PENDING, 3));
    }

    @Test
    void reportsNoLagIfNoOwnerHasAnswered() {
        ProcessorDetails merged = merge(Map.of("two", state(1, false, List.of(seen(0, "one")))));

        assertThat(merged.lag()).isNull();
        assertThat(merged.segments()).containsExactly(seen(0, "one"));
        assertThat(merged.parked()).isEmpty();
    }

    @Test
    void isPausedAsSoonAsOneReplicaKnows() {
        ProcessorDetails merged = merge(Map.of(
                "one", state(2, true, List.of()),
                "two", state(1, false, List.of())));

        assertThat(merged.mode()).isEqualTo(Mode.PAUSED);
        assertThat(merged.generation()).isEqualTo(2);
    }

    @Test
    void namesTheReplicaOfEachProblem() {
        ProcessorDetails merged = merge(Map.of(
                "one", new ProcessorState("shipping", List.of("packing"), 1, false, List.of(), List.of("no source")),
                "two", new ProcessorState("shipping", List.of("labelling"), 1, false, List.of(), List.of())));

        assertThat(merged.problems()).containsExactly(new ProblemDetails("one", "no source"));
        assertThat(merged.components()).containsExactly("labelling", "packing");
    }
}
