package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.parking.ParkedSequenceLoader;
import io.holdfast.parking.ParkedSequences;
import io.holdfast.parking.SequenceTimes;
import io.holdfast.processing.segment.HandlerTask;
import io.holdfast.processing.segment.LetterWritesBuilder;
import io.holdfast.processing.segment.ProcessingBackoff;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.SegmentOverflow;
import io.holdfast.processing.segment.UnitBuilder;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnitBuilderTests extends ProcessorScenario {

    private final ProcessorContext context = builder("copier").calls(copying()).context(() -> {});
    private final Token token = Token.starting(new Segment("copier", 0), 0, Map.of());
    private final ParkedSequences parked = new ParkedSequences(
            new ParkedSequenceLoader(
                    context.stores().letters(),
                    context.handlers().components(),
                    token,
                    sequence -> false,
                    clock,
                    () -> {}),
            context.parking().probes(),
            SequenceTimes.of(context.parking().policy(), context.handlers().components(), Duration.ZERO, clock));
    private final SegmentOverflow overflow = new SegmentOverflow(new ProcessingBackoff("copier", clock));
    private final UnitBuilder unitBuilder = new UnitBuilder(new LetterWritesBuilder(context, parked, overflow));

    private HandlerTask task(EventMessage event) {
        return new HandlerTask(
                SequencedEvent.of(event, SequencingPolicy.streamAndKey()),
                context.handlers().components().get(0),
                null);
    }

    private HandlerTask handled(EventMessage event) {
        HandlerTask task = task(event);
        task.moveTo(HandlerTask.State.RUNNING);
        task.run(context, null);
        task.refreshState();
        return task;
    }

    /** A builder that was thrown away has moved the first event behind a sequence that has been drained since. */
    @Test
    void doesNotCommitEventBehindARestartedOne() {
        appendInput("a", "1", "2");
        List<EventMessage> events = store.eventLog().readStream("input", 0, 2);
        HandlerTask first = task(events.get(0));
        first.moveTo(HandlerTask.State.BEHIND);
        HandlerTask second = handled(events.get(1));
        assertThat(second.state()).isEqualTo(HandlerTask.State.HANDLED);

        unitBuilder.add(first);
        unitBuilder.add(second);

        assertThat(unitBuilder.tasks()).isEmpty();
        assertThat(List.of(first, second)).extracting(HandlerTask::state).containsOnly(HandlerTask.State.WAITING);
    }
}
