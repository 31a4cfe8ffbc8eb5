package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.memory.InMemoryTransactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A segment whose queue is full neither gets stuck nor goes round. */
class OverflowGoesOnTests extends ProcessorScenario {

    private final Set<String> broken = new HashSet<>();

    private EventProcessor limited(UnaryOperator<QueueConfiguration> limits, Component component) {
        return processor("copier", builder -> builder.deadLetters(limits.apply(new QueueConfiguration())), component);
    }

    private void handle(Said event, EventContext context) {
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
    void goesOnAfterAPause() {
        EventProcessor processor = limited(
                QueueConfiguration::disabled,
                Component.named("copies").on(Said.class, this::handle).build());
        broken.add("a1");
        say("a", "a1");
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
    void doesNotGoRoundWhileWhatHadNoRoomIsHandledAgain() {
        List<CompletableFuture<Void>> stages = new ArrayList<>();
        EventProcessor processor = limited(
                QueueConfiguration::disabled,
                Component.named("copies")
                        .onAsync(Said.class, (event, context) -> {
                            CompletableFuture<Void> stage = new CompletableFuture<>();
                            stages.add(stage);
                            return stage;
                        })
                        .build());
        say("a", "a1");
        run(processor);
        stages.get(0).completeExceptionally(new Broken("a1"));
        run(processor);
        runFor(Duration.ofSeconds(2), processor);
        assertThat(stages).as("it is handled again").hasSize(2);

        long withoutAWait = 0;
        for (int step = 0; step < 50; step++) {
            withoutAWait += processor.step().isZero() ? 1 : 0;
            committer.commitWaiting();
        }

        assertThat(withoutAWait).isZero();
    }

    @Test
    void processesWhatIsParkedAlsoIfHandlersKeepRows() {
        EventProcessor processor = limited(
                queue -> queue.maxSequences(1),
                Component.named("copies")
                        .rowsIn(store.transactions())
                        .on(Said.class, (event, context) -> {
                            context.resource(InMemoryTransactions.class);
                            handle(event, context);
                        })
                        .build());
        broken.addAll(Set.of("a1", "b1", "c1"));
        say("a", "a1");
        run(processor);
        say("b", "b1");
        say("c", "c1");
        say("d", "d1");
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
}
