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

    @Test
    void claimsLostSegmentAgainAfterTheHandlerTimeout() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        Component never = Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    boolean isLost = event.text().equals("a1") && handled.size() == 1;
                    return isLost ? new CompletableFuture<Void>() : CompletableFuture.completedFuture(null);
                })
                .build();
        EventProcessor processor = processor("copier", never);
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));
        runFor(Duration.ofSeconds(1), processor);
        failingBefore.clear();
        runFor(Duration.ofSeconds(10), processor);
        assertThat(output()).as("nothing is handled concurrently with it").isEmpty();

        runFor(Duration.ofSeconds(80), processor);

        assertThat(output("a")).containsExactly("a1");
        assertThat(output("b")).containsExactly("b1");
    }
}
