package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.handling.Component;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What happens while an event of a sequence is being handled does not change the order. */
class AsynchronousOrderTests extends ProcessorScenario {

    private final Map<String, CompletableFuture<@Nullable Void>> stages = new HashMap<>();

    private Component asyncComponent() {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    return stage(event.text());
                })
                .build();
    }

    private CompletableFuture<@Nullable Void> stage(String text) {
        return stages.computeIfAbsent(text, unknown -> new CompletableFuture<>());
    }

    @Test
    void doesNotParkWaitingEventAheadOfRunningOne() {
        appendInput("a", "a1", "a2", "a3");
        rejected.add("a1");
        stage("a1").complete(null);
        stage("a3").complete(null);
        EventProcessor processor = processor("copier", asyncComponent());
        run(processor);
        assertThat(handled).as("the second is still running").containsExactly("a1", "a2");

        stage("a2").complete(null);
        run(processor);
        assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3");
        rejected.clear();
        runFor(Duration.ofSeconds(5), processor);

        assertThat(output("a")).containsExactly("a1", "a2", "a3");
    }

    @Test
    void findsTheFirstLetterBehindAGapThatWasParkedDuringAnAttempt() {
        EventProcessor processor = processor("copier", asyncComponent());
        failing.add("a1");
        appendInput("a", "a1", "a2");
        run(processor);
        processor.deadLetterQueue("copies").evict(letters("a").get(1));
        failing.clear();
        runFor(Duration.ofSeconds(5), processor); // a1 is being handled again
        appendInput("a", "a3");
        run(processor);

        stage("a1").complete(null);
        run(processor);

        assertThat(parkedTexts("a")).containsExactly("a3");
        assertThat(parked())
                .extracting(ParkedSequence::first)
                .containsExactly(letters("a").get(0).number());
    }
}
