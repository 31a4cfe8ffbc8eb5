package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Requester;
import io.holdfast.action.Settlement;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.Component;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    @Test
    void commitsTheOutcomeOfAnOperation() {
        appendInput("a", "a1");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        Settlement settlement = staged("1");

        var released = processor.release(0, settlement);
        run(processor);

        assertThat(released).isCompleted();
        assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
        assertThat(owners()).containsOnlyNulls();
    }

    @Test
    void keepsTheSegmentIfTheOperationIsSettled() {
        appendInput("a", "a1");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        Settlement settlement = staged("1");
        store.actionStore().stop("1", Requester.CODE, "other");

        var released = processor.release(0, settlement);
        run(processor);
        appendInput("a", "a2");
        run(processor);

        assertThat(released).isCompletedExceptionally();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(released::join)
                .withCauseInstanceOf(AlreadySettledException.class);
        assertThat(outcome("1")).isEqualTo(Outcome.NOT_TRIED);
        assertThat(owners()).doesNotContainNull();
        assertThat(handled).as("the segment has resumed").containsExactly("a1", "a2");
    }

    /** The operation runs again: another replica may have claimed the segment. */
    @Test
    void leavesTheOperationOpenIfTheSegmentIsLost() {
        appendInput("a", "a1");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        Settlement settlement = staged("1");
        store.tokenStore().findAll("copier").forEach(claimed -> store.tokenStore()
                .release(new TokenClaim(
                        claimed.token().segment(), Objects.requireNonNull(claimed.owner()), claimed.fence())));

        var released = processor.release(0, settlement);
        run(processor);

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(released::join)
                .withCauseInstanceOf(RetryableException.class);
        assertThat(store.actionStore().findOpen(10)).hasSize(1);
    }

    private Settlement staged(String id) {
        store.actionStore()
                .stage(Action.of(
                        id,
                        Action.Kind.RELEASE,
                        "segment 0 of processor copier",
                        "hash",
                        Requester.CODE,
                        List.of(new OperationItem("segment", "copier/0"))));
        return Settlement.applied(store.actionStore().findOpen(1).get(0), "replica");
    }

    private Outcome outcome(String action) {
        return Objects.requireNonNull(
                        store.actionStore().findItems(action, 0, 1).get(0).result())
                .outcome();
    }

    private List<@Nullable String> owners() {
        return store.tokenStore().findAll("copier").stream()
                .map(ClaimedToken::owner)
                .toList();
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
