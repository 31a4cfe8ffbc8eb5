package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.handling.Component;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A segment that was lost while its handlers were running is claimed again. */
class LostSegmentTests extends ProcessorScenario {

    private final CompletableFuture<Void> running = new CompletableFuture<>();

    /** Returns a processor that has lost its segment while the handler of a1 is running. */
    private EventProcessor processorWithLostSegment() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        Component copies = Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    boolean isLost = event.text().equals("a1") && handled.size() == 1;
                    return isLost ? running : CompletableFuture.completedFuture(null);
                })
                .build();
        EventProcessor processor = processor("copier", copies);
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));
        runFor(Duration.ofSeconds(1), processor);
        failingBefore.clear();
        return processor;
    }

    @Test
    void claimsLostSegmentAgainAfterTheHandlerTimeout() {
        EventProcessor processor = processorWithLostSegment();
        runFor(Duration.ofSeconds(10), processor);
        assertThat(output()).as("nothing is handled concurrently with it").isEmpty();

        runFor(Duration.ofSeconds(80), processor);

        assertThat(output("a")).containsExactly("a1");
        assertThat(output("b")).containsExactly("b1");
    }

    @Test
    void splitsLostSegmentOnceItsHandlersHaveEnded() {
        EventProcessor processor = processorWithLostSegment();
        CompletableFuture<Integer> split = processor.split(0);
        runFor(Duration.ofSeconds(10), processor);
        assertThat(split).as("the handler of a1 is running").isNotDone();
        assertThat(handled).containsExactlyInAnyOrder("a1", "b1");

        running.complete(null);
        runFor(Duration.ofSeconds(10), processor);

        assertThat(split).isCompletedWithValue(1);
        assertThat(output("a")).containsExactly("a1");
        assertThat(output("b")).containsExactly("b1");
    }
}
