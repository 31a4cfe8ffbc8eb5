package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.StreamPosition;
import io.holdfast.handling.Component;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Segments that a replica releases are free for others. */
class ReleasingTests extends ProcessorScenario {

    @Test
    void releasesSegmentThatWasChangedUnderItsClaim() {
        appendInput("a", "a1");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        var released = processor.release(0);
        raiseVersion(); // so that the cached token is stale
        clock.advance(Duration.ofSeconds(1));

        processor.step();
        processor.step();

        assertThat(released).isCompleted();
        assertThat(store.tokenStore().findAll("copier"))
                .extracting(ClaimedToken::owner)
                .containsOnlyNulls();
    }

    @Test
    void releasesSegmentEvenIfPausedAndResumedMeanwhile() {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .onAsync(TextAdded.class, (event, context) -> {
                            copy(event, context);
                            return event.text().equals("slow") ? stage : CompletableFuture.completedFuture(null);
                        })
                        .build());
        appendInput("a", "slow");
        run(processor);
        var released = processor.release(0);
        processor.step();
        processor.pause();
        runFor(Duration.ofSeconds(1), processor);
        processor.resume();
        runFor(Duration.ofSeconds(1), processor);

        appendInput("b", "later");
        run(processor);
        assertThat(handled).as("the segment is draining").containsExactly("slow");
        stage.complete(null);
        run(processor);

        assertThat(released).isCompleted();
    }

    private void raiseVersion() {
        StreamPosition reached = Objects.requireNonNull(store.tokenStore()
                .find(new Segment("copier", 0))
                .orElseThrow()
                .positions()
                .get("input"));
        store.tokenStore()
                .acceptRestore(
                        "copier",
                        "input",
                        Set.of(reached),
                        StreamPosition.beginning(store.eventLog().identity()));
    }
}
