package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.handling.Component;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Segments are split, merged and released while events flow and letters are parked. */
class ReshardingTests extends ProcessorScenario {

    private static final int KEYS = 20;
    private static final Duration REBALANCE_TIME = Duration.ofSeconds(6);

    private EventProcessor replica(int segments) {
        return segmented(segments, copying());
    }

    private static void assertFails(CompletableFuture<?> result, Class<? extends Exception> type, String message) {
        assertThat(result)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(type)
                .withMessageContaining(message);
    }

    @Test
    void splitsAndMergesWithoutLossOrDuplicatesWhileEventsFlow() {
        EventProcessor processor = replica(1);
        List<Integer> splitOff = new ArrayList<>();
        for (int segment : new int[] {0, 0, 1, 1}) {
            appendToKeys(KEYS);
            processor.step();
            CompletableFuture<Integer> split = processor.split(segment);
            appendToKeys(KEYS);
            runFor(Duration.ofSeconds(1), processor);
            splitOff.add(split.join());
        }
        assertThat(claimed(processor)).containsExactly(0, 1, 2, 3, 5);
        assertThat(splitOff).containsExactly(1, 2, 3, 5);
        for (int segment : new int[] {5, 3, 2, 1}) {
            appendToKeys(KEYS);
            processor.step();
            CompletableFuture<Integer> merge = processor.merge(segment);
            appendToKeys(KEYS);
            runFor(Duration.ofSeconds(3), processor);
            assertThat(merge).isCompleted();
        }

        assertThat(claimed(processor)).containsExactly(0);
        assertThat(handled).doesNotHaveDuplicates();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void lettersMoveWithTheirSequenceToItsNewOwner() {
        String moving = keyOf(1, 2);
        String staying = keyOf(0, 2);
        appendInput(moving, "m1", "m2");
        appendInput(staying, "s1", "s2");
        failing.addAll(List.of("m1", "s1"));
        EventProcessor one = replica(1);
        EventProcessor two = replica(1);
        run(one, two);

        CompletableFuture<Integer> split = one.split(0);
        run(one);
        assertThat(split).isCompletedWithValue(1);
        CompletableFuture<?> released = one.release(1);
        run(one, two);
        assertThat(released).isCompleted();
        appendInput(moving, "m3");
        failing.clear();
        runFor(Duration.ofSeconds(3), two);
        assertThat(claimed(two)).containsExactly(1);
        assertThat(output(moving)).containsExactly("m1", "m2", "m3");
        assertThat(output(staying)).as("the other replica owns it").isEmpty();
        runFor(Duration.ofSeconds(3), one);

        assertThat(output(staying)).containsExactly("s1", "s2");
        assertThat(parked()).isEmpty();
    }

    @Test
    void retriesLettersOfBothSegmentsAfterAMerge() {
        failing.addAll(List.of("0", "1"));
        appendInput(keyOf(0, 2), "0");
        appendInput(keyOf(1, 2), "1");
        EventProcessor processor = replica(2);
        run(processor);

        CompletableFuture<Integer> merge = processor.merge(1);
        run(processor);
        assertThat(merge).isCompletedWithValue(0);
        failing.clear();
        runFor(Duration.ofSeconds(2), processor);

        assertThat(output()).containsExactlyInAnyOrder("0", "1");
        assertThat(parked()).isEmpty();
    }

    @Test
    void mergeBringsSegmentsToTheSamePosition() {
        EventProcessor processor = replica(2);
        run(processor);
        appendInput(keyOf(0, 2), "0");
        run(processor);
        appendInput(keyOf(1, 2), "1");
        run(processor);
        assertThat(store.tokenStore().findAll("copier"))
                .extracting(claimed -> claimed.token().positions().get("input"))
                .doesNotHaveDuplicates();

        CompletableFuture<Integer> merge = processor.merge(0);
        run(processor);

        assertThat(merge).isCompletedWithValue(0);
        assertThat(claimed(processor)).containsExactly(0);
        assertThat(position(processor)).isEqualTo(store.eventLog().head("input").position());
        assertThat(handled).containsExactly("0", "1");
    }

    @Test
    void rejectsImpossibleOperationsWithTheReason() {
        EventProcessor one = builder("copier", "one", stores())
                .settings(ProcessorSettings.DEFAULT.segments(3)) // 0 and 2 of four, and 1 of two
                .calls(copying())
                .build();
        EventProcessor two = builder("copier", "two", stores())
                .settings(ProcessorSettings.DEFAULT.segments(3))
                .calls(copying())
                .build();
        runFor(REBALANCE_TIME, one, two);
        assertThat(claimed(two)).containsExactly(2);

        CompletableFuture<Integer> unknown = one.split(7);
        CompletableFuture<Integer> ownedElsewhere = one.split(2);
        CompletableFuture<Integer> siblingOwnedElsewhere = one.merge(0);
        CompletableFuture<?> notHere = one.release(2);
        run(one);
        two.release();
        CompletableFuture<Integer> splitFurther = one.merge(1);
        runFor(REBALANCE_TIME, one);

        assertFails(unknown, PermanentException.class, "processor copier has no segment 7");
        assertFails(
                ownedElsewhere,
                PermanentException.class,
                "segment 2 of processor copier is owned by two; run the operation there, or");
        assertFails(siblingOwnedElsewhere, PermanentException.class, "segment 2 of processor copier is owned by two");
        assertFails(notHere, PermanentException.class, "segment 2 of processor copier is not owned by this replica");
        assertFails(
                splitFurther, PermanentException.class, "segment 0, the sibling of 1 of processor copier, is split");
        EventProcessor alone = processor("alone", copying());
        run(alone);
        CompletableFuture<Integer> only = alone.merge(0);
        run(alone);
        assertFails(only, PermanentException.class, "segment 0 of processor alone is the only one; nothing to merge");
    }

    private Component asyncComponent(CompletableFuture<@Nullable Void> stage) {
        return Component.named("copies")
                .onAsync(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    return event.text().equals("slow") ? stage : CompletableFuture.completedFuture(null);
                })
                .build();
    }

    @Test
    void givesUpOperationsIfSegmentsDoNotDrainAndResumes() {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        EventProcessor processor = processor(
                "copier",
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(2).handlerTimeout(Duration.ofHours(1))),
                asyncComponent(stage));
        appendInput(keyOf(1, 4), "slow");
        run(processor);

        List<CompletableFuture<?>> results = List.of(processor.split(1), processor.merge(0));
        appendInput(keyOf(3, 4), "waits");
        runFor(Duration.ofSeconds(60), processor);
        assertThat(output()).as("the segment is draining").isEmpty();
        runFor(Duration.ofSeconds(63), processor);

        assertThat(results)
                .allSatisfy(result ->
                        assertFails(result, RetryableException.class, "did not complete the operation within PT1M"));
        assertThat(output()).as("the segment resumes").containsExactly("waits");
        stage.complete(null);
        run(processor);
        appendInput(keyOf(1, 4), "next");
        run(processor);
        assertThat(claimed(processor)).containsExactly(0, 1);
        assertThat(output()).containsExactly("waits", "slow", "next");
    }

    @Test
    void keepsSegmentIfItsReleaseIsGivenUp() {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        EventProcessor processor = processor(
                "copier",
                builder ->
                        builder.settings(ProcessorSettings.DEFAULT.segments(2).handlerTimeout(Duration.ofHours(1))),
                asyncComponent(stage));
        appendInput(keyOf(1, 4), "slow");
        run(processor);

        CompletableFuture<?> release = processor.release(1);
        appendInput(keyOf(3, 4), "waits");
        runFor(Duration.ofSeconds(62), processor);

        assertFails(
                release, RetryableException.class, "did not complete the operation within PT1M; nothing was changed");
        assertThat(output()).containsExactly("waits");
        stage.complete(null);
        run(processor);
        assertThat(claimed(processor)).containsExactly(0, 1);
        assertThat(output()).containsExactly("waits", "slow");
    }

    @Test
    void releasedSegmentIsClaimedByAnotherReplicaAndNotReclaimed() {
        EventProcessor one = replica(2);
        EventProcessor two = replica(2);
        runFor(REBALANCE_TIME, one, two);
        assertThat(claimed(one)).containsExactly(0);
        appendToKeys(KEYS);
        one.step();

        CompletableFuture<?> released = one.release(0);
        run(one);
        assertThat(released).isCompleted();
        runFor(Duration.ofSeconds(9), one, two);

        assertThat(claimed(one)).isEmpty();
        assertThat(claimed(two)).containsExactly(0, 1);
        assertThat(handled).doesNotHaveDuplicates();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void pausesOnAllReplicasUntilResumed() {
        EventProcessor one = replica(2);
        EventProcessor two = replica(2);
        runFor(REBALANCE_TIME, one, two);
        one.pause();
        runFor(Duration.ofSeconds(2), one, two);
        appendToKeys(KEYS);
        runFor(Duration.ofSeconds(30), one, two);
        assertThat(handled).isEmpty();
        assertThat(one.status().paused()).isTrue();
        assertThat(two.status().paused()).isTrue();
        one.release();
        EventProcessor restarted = replica(2);
        runFor(REBALANCE_TIME, restarted, two);
        assertThat(handled).as("also after a restart").isEmpty();

        two.resume();
        runFor(REBALANCE_TIME, restarted, two);

        assertThat(two.status().paused()).isFalse();
        assertThat(restarted.status().paused()).isFalse();
        assertThat(handled).doesNotHaveDuplicates();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void handlersRunningAtPauseTakeEffectOnce() {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        EventProcessor processor = processor("copier", asyncComponent(stage));
        appendInput("a", "slow", "next");
        run(processor);
        processor.pause();
        runFor(Duration.ofSeconds(2), processor);
        stage.complete(null);
        run(processor);

        processor.resume();
        runFor(Duration.ofSeconds(2), processor);

        assertThat(output()).containsExactly("slow", "next");
    }

    private Component resettable() {
        return Component.named("copies")
                .resettable()
                .on(TextAdded.class, (event, context) -> {
                    if (failing.contains(event.text())) {
                        throw new IllegalStateException("cannot handle " + event.text());
                    }
                    handled.add(event.text());
                })
                .build();
    }

    @Test
    void rejectsResetUnlessAllComponentsAreResettable() {
        EventProcessor processor = processor(
                "copier",
                resettable(),
                Component.named("once")
                        .on(TextAdded.class, (event, context) -> {})
                        .build());
        appendInput("a", "1");
        run(processor);

        CompletableFuture<Integer> reset = processor.reset(StartAt.BEGINNING);
        run(processor);

        assertFails(reset, PermanentException.class, "[test/copier/once] are not declared resettable");
        assertThat(handled).containsExactly("1");
    }

    @Test
    void resetHandlesEveryEventOnceMoreAcrossReplicas() {
        EventProcessor one = segmented(4, resettable());
        EventProcessor two = segmented(4, resettable());
        appendToKeys(4);
        runFor(REBALANCE_TIME, one, two);
        assertThat(handled).hasSize(4);

        CompletableFuture<Integer> reset = two.reset(StartAt.BEGINNING);
        runFor(REBALANCE_TIME, one, two);

        assertThat(reset).isCompletedWithValue(2);
        assertThat(one.status().generation()).isEqualTo(2);
        assertThat(two.status().generation()).isEqualTo(2);
        assertThat(handled).hasSize(8);
        assertThat(handled.subList(4, 8)).doesNotHaveDuplicates();
        assertThat(claimed(one)).hasSize(2);
        appendToKeys(4);
        runFor(REBALANCE_TIME, one, two);
        assertThat(handled).hasSize(12);
    }

    @Test
    void resetToATimeRemovesLettersHandledAgainAndKeepsOlderOnes() {
        EventProcessor processor = processor("copier", resettable());
        appendInput("a", "a1");
        appendInput("b", "b1");
        failing.addAll(List.of("a1", "b2", "c1"));
        clock.advance(Duration.ofMinutes(1));
        Instant time = clock.instant();
        appendInput("b", "b2", "b3");
        appendInput("c", "c1");
        runFor(Duration.ofSeconds(15), processor);
        assertThat(parked()).hasSize(3);
        failing.clear();

        CompletableFuture<Integer> reset = processor.reset(StartAt.at(time));
        runFor(Duration.ofSeconds(5), processor);

        assertThat(reset).isCompletedWithValue(2);
        assertThat(handled).containsExactly("b1", "b2", "b3", "c1");
        assertThat(parkedTexts("a")).containsExactly("a1");
        assertThat(parked()).hasSize(1);
    }

    @Test
    void resetRejectsResultsOfRunningHandlers() {
        CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        List<CompletableFuture<@Nullable Void>> stages =
                new ArrayList<>(List.of(stage, CompletableFuture.completedFuture(null)));
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .resettable()
                        .onAsync(TextAdded.class, (event, context) -> {
                            copy(event, context);
                            return stages.remove(0);
                        })
                        .build());
        appendInput("a", "1");
        run(processor);

        CompletableFuture<Integer> reset = processor.reset(StartAt.BEGINNING);
        run(processor);
        stage.complete(null);
        runFor(Duration.ofSeconds(2), processor);

        assertThat(reset).isCompletedWithValue(2);
        assertThat(handled).containsExactly("1", "1");
        assertThat(output()).containsExactly("1");
    }

    @Test
    void rejectsOneOfTwoConcurrentResets() {
        EventProcessor one = processor("copier", resettable());
        EventProcessor two = processor("copier", resettable());
        appendInput("a", "1");
        run(one, two);

        CompletableFuture<Integer> first = one.reset(StartAt.BEGINNING);
        CompletableFuture<Integer> second = two.reset(StartAt.BEGINNING);
        run(one);
        run(two);

        assertThat(first).isCompletedWithValue(2);
        assertFails(second, PermanentException.class, "is no longer in generation 1; it was reset concurrently");
        assertThat(handled).containsExactly("1", "1");
    }
}
