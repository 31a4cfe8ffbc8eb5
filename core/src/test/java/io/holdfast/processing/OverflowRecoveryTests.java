package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.memory.InMemoryTransactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A segment whose queue is full neither gets stuck nor spins. */
class OverflowRecoveryTests extends ProcessorScenario {

    private final Set<String> broken = new HashSet<>();

    private EventProcessor limited(UnaryOperator<QueueConfiguration> limits, Component... components) {
        return processor("copier", builder -> builder.deadLetters(limits.apply(new QueueConfiguration())), components);
    }

    private void handle(TextAdded event, EventContext context) {
        if (broken.contains(event.text())) {
            throw new Broken(event.text());
        }
        copy(event, context);
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    @Test
    void resumesAfterAPause() {
        EventProcessor processor = limited(
                QueueConfiguration::disabled,
                Component.named("copies").on(TextAdded.class, this::handle).build());
        broken.add("a1");
        appendInput("a", "a1");
        runFor(Duration.ofSeconds(10), processor);
        processor.pause();
        runFor(Duration.ofSeconds(5), processor);
        broken.clear();

        processor.resume();
        runFor(Duration.ofMinutes(1), processor);

        assertThat(output()).containsExactly("a1");
        assertThat(processor.status().problems()).isEmpty();
    }

    @Test
    void doesNotSpinWhileEventWithoutRoomIsHandledAgain() {
        List<CompletableFuture<Void>> stages = new ArrayList<>();
        EventProcessor processor = limited(
                QueueConfiguration::disabled,
                Component.named("copies")
                        .onAsync(TextAdded.class, (event, context) -> {
                            CompletableFuture<Void> stage = new CompletableFuture<>();
                            stages.add(stage);
                            return stage;
                        })
                        .build());
        appendInput("a", "a1");
        run(processor);
        stages.get(0).completeExceptionally(new Broken("a1"));
        run(processor);
        runFor(Duration.ofSeconds(2), processor);
        assertThat(stages).as("it is handled again").hasSize(2);

        long withoutDelay = 0;
        for (int step = 0; step < 50; step++) {
            withoutDelay += processor.step().isZero() ? 1 : 0;
            committer.commitWaiting();
        }

        assertThat(withoutDelay).isZero();
    }

    @Test
    void replaysLettersEvenIfHandlersWriteApplicationRows() {
        EventProcessor processor = limited(
                queue -> queue.maxSequences(1),
                Component.named("copies")
                        .rowsIn(store.transactions())
                        .on(TextAdded.class, (event, context) -> {
                            context.resource(InMemoryTransactions.class);
                            handle(event, context);
                        })
                        .build());
        broken.addAll(Set.of("a1", "b1", "c1"));
        appendInput("a", "a1");
        run(processor);
        appendInput("b", "b1");
        appendInput("c", "c1");
        appendInput("d", "d1");
        runFor(Duration.ofMinutes(1), processor);
        assertThat(parkedTexts("a")).containsExactly("a1");
        broken.remove("a1");

        CompletableFuture<Boolean> drained =
                processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofMinutes(2), processor);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(output()).containsExactlyInAnyOrder("a1", "d1");
        broken.clear();
        runFor(Duration.ofMinutes(2), processor);
        assertThat(output()).contains("a1", "d1").containsAnyOf("b1", "c1");
        assertThat(processor.status().problems()).isEmpty();
    }

    @Test
    void retriesEventsWithoutRoomInTwoQueuesEvenIfBackoffEndsBeforeEachStep() {
        EventProcessor processor = withTwoFullQueues();
        broken.addAll(Set.of("b1 copies", "c1 prints"));
        appendInput("c", "c1");
        runSteps(Duration.ofMinutes(1), processor);

        broken.removeAll(Set.of("b1 copies", "c1 prints"));
        failing.clear();
        runSteps(Duration.ofMinutes(1), processor);

        assertThat(output()).containsExactlyInAnyOrder("b1 prints", "b1 copies", "c1 copies", "c1 prints");
        assertThat(pending()).containsExactlyInAnyOrder("a copies", "a prints");
        assertThat(processor.status().problems()).isEmpty();
    }

    @Test
    void parksInTwoQueuesOnceThereIsRoomEvenIfBackoffEndsBeforeEachStep() {
        EventProcessor processor = withTwoFullQueues();
        broken.addAll(Set.of("b1 copies", "c1 prints"));
        appendInput("c", "c1");
        runSteps(Duration.ofMinutes(1), processor);
        assertThat(output()).as("events that need no room").containsExactlyInAnyOrder("b1 prints", "c1 copies");

        broken.removeAll(Set.of("a1 copies", "a1 prints"));
        var copied = processor.deadLetterProcessor("copies").processAny();
        var printed = processor.deadLetterProcessor("prints").processAny();
        runSteps(Duration.ofMinutes(1), processor);

        assertThat(copied).isCompletedWithValue(true);
        assertThat(printed).isCompletedWithValue(true);
        assertThat(output("a")).containsExactlyInAnyOrder("a1 copies", "a1 prints");
        assertThat(pending()).containsExactlyInAnyOrder("b copies", "c prints");
        assertThat(processor.status().problems()).isEmpty();
    }

    /** Event {@code a1} is PENDING in both queues, which fills them; {@code b1} is RETRYING in one of them. */
    private EventProcessor withTwoFullQueues() {
        EventProcessor processor =
                limited(queue -> queue.maxSequences(1), failingComponent("copies"), failingComponent("prints"));
        broken.addAll(Set.of("a1 copies", "a1 prints"));
        failing.add("b1 copies");
        appendInput("a", "a1");
        appendInput("b", "b1");
        run(processor);
        assertThat(pending()).containsExactlyInAnyOrder("a copies", "a prints");
        return processor;
    }

    /** Fails for texts in {@code broken} or {@code failing} that end with the component's name. */
    private Component failingComponent(String name) {
        return Component.named(name)
                .on(TextAdded.class, (event, context) -> handle(new TextAdded(event.text() + " " + name), context))
                .build();
    }

    /** Returns the keys of the PENDING sequences, with their components. */
    private List<String> pending() {
        return parked().stream()
                .filter(sequence -> sequence.state() == SequenceState.PENDING)
                .map(ParkedSequence::id)
                .map(id -> id.sequence().replace("input/", "") + id.component().replace("test/copier/", " "))
                .toList();
    }

    private void runSteps(Duration time, EventProcessor processor) {
        for (int step = 0; step < 50; step++) {
            clock.advance(time);
            processor.step();
            committer.commitWaiting();
        }
    }
}
