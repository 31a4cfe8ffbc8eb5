package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SimulatedCrash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Replay through the engine: which sequence is selected, in which order its letters run, and what the call returns. */
public abstract class DeadLetterProcessingKit extends DeadLetterEngineKit {

    private static final Duration BEYOND_THE_LEASE = Duration.ofMinutes(1);

    @Nested
    @Lines(13)
    class Selection {

        @Test
        void replaysLongestDueSequenceAndMovesItBack() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c");

            for (int i = 0; i < 5; i++) {
                assertThat(processAny(copier)).isFalse();
                harness().passTime(Duration.ofSeconds(1));
            }

            assertThat(attempted).containsExactly("a1", "b1", "c1", "a1", "b1");
        }

        @Test
        void replaysFirstSequenceThatMatchesFilter() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c");
            broken.clear();

            CompletableFuture<Boolean> drained =
                    copier.letters().process(letter -> !letter.message().key().equals("a"));
            runUntil(drained, copier);

            assertThat(drained).isCompletedWithValue(true);
            assertThat(output()).as("one call, one sequence").containsExactly("b1", "b2");
        }

        @Test
        void replaysNamedSequenceWithoutSearching() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c");
            broken.clear();
            copier.calls().clear();

            CompletableFuture<Boolean> drained =
                    copier.letters().processSequence(sequence("b").sequence()).thenApply(SequenceOutcome::drained);
            runUntil(drained, copier);

            assertThat(drained).isCompletedWithValue(true);
            assertThat(output()).containsExactly("b1", "b2");
            assertThat(copier.calls().counts()).doesNotContainKey("findByNextAttempt");
        }

        @Test
        void returnsFalseWhenNamedSequenceFailsAgain() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b");

            CompletableFuture<Boolean> drained =
                    copier.letters().processSequence(sequence("b").sequence()).thenApply(SequenceOutcome::drained);
            runUntil(drained, copier);

            assertThat(drained).isCompletedWithValue(false);
            assertThat(attempted).containsExactly("b1");
            assertThat(firstLetter("b").attempts()).hasSize(2);
        }

        @Test
        void returnsFalseWhenNamedSequenceIsNotParked() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a");
            broken.clear();

            CompletableFuture<Boolean> drained =
                    copier.letters().processSequence(sequence("b").sequence()).thenApply(SequenceOutcome::drained);
            runUntil(drained, copier);

            assertThat(drained).isCompletedWithValue(false);
            assertThat(attempted).isEmpty();
        }

        @Test
        void replaysEveryMatchingSequenceOnce() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c", "d");
            broken.remove("a1");

            BulkReplay replay = copier.letters()
                    .processAll(letter -> !letter.message().key().equals("d"), BulkReplaySettings.UNLIMITED);
            runUntil(replay.result(), copier);

            assertThat(replay.result())
                    .isCompletedWithValue(new BulkProgress(4, 3, 1, 2, BulkProgress.Status.COMPLETED));
            assertThat(attempted).containsExactlyInAnyOrder("a1", "a2", "b1", "c1");
        }

        @Test
        void replaysSequenceOnceEvenIfItMovesToAnotherPage() {
            CopyingReplica copier = copier();
            int count = 600;
            IntStream.range(0, count).forEach(number -> broken.add("k" + number + ":1"));
            appendToKeys(count, "1");
            run(copier);
            attempted.clear();

            BulkReplay replay = copier.letters().processAll(BulkReplaySettings.UNLIMITED.perSecond(300));
            runFor(Duration.ofSeconds(1), copier);
            broken.add("late1");
            appendInput("late", "late1");
            runFor(Duration.ofSeconds(2), copier);
            runUntil(replay.result(), copier);

            assertThat(replay.result())
                    .isCompletedWithValue(new BulkProgress(count, count, 0, count, BulkProgress.Status.COMPLETED));
            assertThat(attempted)
                    .as("the bulk replay ignores a sequence that was parked later")
                    .containsOnlyOnce("late1");
            assertThat(attempted).hasSize(count + 1).doesNotHaveDuplicates();
        }

        @Test
        void respectsRateLimit() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c", "d");

            BulkReplay replay = copier.letters().processAll(BulkReplaySettings.UNLIMITED.perSecond(1));
            run(copier);
            assertThat(replay.progress().started()).isEqualTo(1);
            runFor(Duration.ofSeconds(1), copier);
            assertThat(replay.progress().started()).isEqualTo(2);
            runFor(Duration.ofSeconds(2), copier);

            assertThat(replay.result().join().failed()).isEqualTo(4);
        }

        @Test
        void stopsOnRequest() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c");

            BulkReplay replay = copier.letters().processAll(BulkReplaySettings.UNLIMITED.perSecond(1));
            run(copier);
            replay.stop();
            runFor(Duration.ofSeconds(3), copier);

            assertThat(replay.result()).isCompletedWithValue(new BulkProgress(3, 1, 0, 1, BulkProgress.Status.STOPPED));
            assertThat(attempted).containsExactly("a1");
        }

        @Test
        void stopsWhenCanaryFails() {
            CopyingReplica copier = copier(segments(4));
            park(copier, "a", "b", "c");

            BulkReplay failed = copier.letters().processAll(BulkReplaySettings.UNLIMITED.canaryFirst());
            runUntil(failed.result(), copier);
            assertThat(failed.result().join().status()).isEqualTo(BulkProgress.Status.CANARY_FAILED);
            assertThat(attempted).containsExactly("a1");

            broken.clear();
            BulkReplay passed = copier.letters().processAll(BulkReplaySettings.UNLIMITED.canaryFirst());
            runUntil(passed.result(), copier);
            assertThat(passed.result().join().drained()).isEqualTo(3);
            assertThat(parked()).isEmpty();
        }
    }

    @Nested
    @Lines({14, 15})
    class Order {

        @Test
        void replaysUntilLetterFailsAndKeepsItFirst() {
            CopyingReplica copier = copier();
            broken.add("a1");
            appendInput("a", "a1", "a2", "a3", "a4");
            run(copier);
            broken.clear();
            broken.add("a3");
            attempted.clear();

            assertThat(processAny(copier)).isFalse();

            assertThat(attempted).containsExactly("a1", "a2", "a3");
            assertThat(output()).containsExactly("a1", "a2");
            assertThat(parkedTexts("a")).containsExactly("a3", "a4");
            assertThat(firstLetter("a").cause()).isNotNull();
            assertThat(letters("a").get(1).cause()).isNull();
        }

        @Test
        void returnsTrueOnlyWhenSequenceIsDrained() {
            CopyingReplica copier = copier();
            assertThat(processAny(copier)).as("nothing was parked").isFalse();
            park(copier, "a");
            assertThat(processAny(copier)).isFalse();
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(parked()).isEmpty();
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void callsOnlyFailedComponent() {
            List<String> others = new ArrayList<>();
            CopyingReplica copier = copier(builder -> builder.calls(Component.named("others")
                    .on(Noted.class, (event, context) -> others.add(event.text()))
                    .build()));
            park(copier, "a");
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(attempted).containsExactly("a1", "a2");
            assertThat(others).as("the other component has handled them before").containsExactly("a1", "a2");
        }

        @Test
        void resumesAutomaticallyWhenFirstLetterHasNotFailed() {
            CopyingReplica copier = copier();
            park(copier, "a");

            assertThat(copier.queue().evict(firstLetter("a"))).isTrue();
            assertThat(parked("a").state()).isEqualTo(SequenceState.RETRYING);
            runFor(Duration.ofSeconds(2), copier);

            assertThat(output()).containsExactly("a2");
            assertThat(parked()).isEmpty();
        }

        @Test
        void handlesEachLetterOnceWhereverProcessCrashes() {
            require(Capability.CRASH_POINTS);
            for (Moment moment : Moment.of(CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_LETTERS, CommitPoint.COMMIT)) {
                String key = moment.toString().replace(' ', '-');
                CopyingReplica dying = copier();
                park(dying, key);
                broken.clear();
                var lost = dying.letters().processAny();
                harness().crashPoints().crashAt(moment);
                assertThatExceptionOfType(SimulatedCrash.class).isThrownBy(() -> run(dying));
                assertThat(lost).isNotDone();

                harness().passTime(BEYOND_THE_LEASE);
                CopyingReplica next = copier();
                run(next);
                boolean isCommitted = moment.after() && moment.point() == CommitPoint.COMMIT;
                assertThat(processAny(next)).as(key).isEqualTo(!isCommitted);

                assertThat(output(key)).as(key).containsExactly(key + "1", key + "2");
                assertThat(parked()).as(key).isEmpty();
                next.processor().release();
            }
        }
    }

    @Nested
    @Lines(16)
    class ConcurrentReplays {

        @Test
        void handleSequenceOnceWhenTwoReplicasReplay() {
            CopyingReplica one = copier(segments(2));
            CopyingReplica other = otherCopier(segments(2));
            runFor(Duration.ofSeconds(30), one, other);
            List.of("a", "b", "c", "d").forEach(key -> {
                broken.add(key + "1");
                appendInput(key, key + "1", key + "2");
            });
            run(one, other);
            broken.clear();
            attempted.clear();

            BulkReplay here = one.letters().processAll(BulkReplaySettings.UNLIMITED);
            BulkReplay there = other.letters().processAll(BulkReplaySettings.UNLIMITED);
            runFor(Duration.ofSeconds(3), one, other);

            assertThat(here.result()).isCompleted();
            assertThat(there.result()).isCompleted();
            assertThat(attempted).doesNotHaveDuplicates();
            assertThat(Set.copyOf(output())).hasSize(8).hasSameSizeAs(output());
            assertThat(parked()).isEmpty();
        }

        @Test
        void forwardNamedSequenceToOwnerOfItsSegment() {
            CopyingReplica one = copier(segments(2));
            CopyingReplica other = otherCopier(segments(2));
            runFor(Duration.ofSeconds(30), one, other);
            List<String> keys = List.of("a", "b", "c", "d");
            keys.forEach(key -> {
                broken.add(key + "1");
                appendInput(key, key + "1", key + "2");
            });
            run(one, other);
            broken.clear();
            attempted.clear();

            List<CompletableFuture<Boolean>> drained = keys.stream()
                    .map(key -> one.letters()
                            .processSequence(sequence(key).sequence())
                            .thenApply(SequenceOutcome::drained))
                    .toList();
            runFor(Duration.ofSeconds(5), one, other);

            assertThat(drained).allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
            assertThat(other.processor().status().segments())
                    .as("the other replica owns some of them")
                    .anyMatch(SegmentStatus::claimed);
            assertThat(attempted).hasSize(8).doesNotHaveDuplicates();
            assertThat(parked()).isEmpty();
        }

        @Test
        void returnSameResultToAllRequestsForOneSequence() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();

            CompletableFuture<Boolean> first =
                    copier.letters().processSequence(sequence("a").sequence()).thenApply(SequenceOutcome::drained);
            copier.step();
            CompletableFuture<Boolean> second =
                    copier.letters().processSequence(sequence("a").sequence()).thenApply(SequenceOutcome::drained);
            copier.step();
            CompletableFuture<Boolean> third =
                    copier.letters().processSequence(sequence("a").sequence()).thenApply(SequenceOutcome::drained);
            run(copier);

            assertThat(List.of(first, second, third))
                    .allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
            assertThat(attempted).containsExactly("a1", "a2");
        }

        @Test
        void returnSameResultWhileReplayIsRunning() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();

            CompletableFuture<Boolean> first =
                    copier.letters().process(letter -> letter.message().key().equals("a"));
            copier.step();
            CompletableFuture<Boolean> second = copier.letters().processAny();
            run(copier);

            assertThat(first).isCompletedWithValue(true);
            assertThat(second).isCompleted();
            assertThat(output()).containsExactly("a1", "a2");
        }
    }

    @Nested
    @Lines(18)
    class Chunks {

        @Test
        void readAndCommitManyLettersTogether() {
            CopyingReplica copier = copier();
            String[] texts = parkLong(copier, 250);
            broken.clear();
            copier.calls().clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(output("a")).containsExactly(texts);
            assertThat(copier.calls().counts()).containsEntry("findFirstLetters", 3);
            assertThat(letters("a")).extracting(DeadLetter::number).isEmpty();
        }

        @Test
        @Lines(14)
        void storeNewFirstLetterAfterEachChunk() {
            CopyingReplica copier = copier();
            parkLong(copier, 150);
            harness().passTime(Duration.ofSeconds(5));
            broken.clear();

            CompletableFuture<Boolean> drained = copier.letters().processAny();
            for (int i = 0; i < 20 && parked("a").size() > 100; i++) {
                rounds(1, copier);
            }

            assertThat(parked("a").size()).isEqualTo(50);
            assertThat(parked("a").first()).isEqualTo(firstLetter("a").number());
            assertThat(parked("a").since()).isEqualTo(firstLetter("a").enqueuedAt());
            runUntil(drained, copier);
            assertThat(drained).isCompletedWithValue(true);
            assertThat(output("a")).hasSize(150);
        }

        @Test
        @Lines({14, 15})
        void endWhenLetterBehindGapFailsAgain() {
            CopyingReplica copier = copier();
            parkLong(copier, 150);
            assertThat(copier.queue().evict(letters("a").get(100))).isTrue();
            runFor(Duration.ofSeconds(5), copier);
            broken.clear();
            broken.add("a101");
            attempted.clear();

            CompletableFuture<Boolean> drained = copier.letters().processAny();
            run(copier);

            assertThat(attempted).filteredOn("a101"::equals).hasSize(1);
            assertThat(drained).isCompletedWithValue(false);
            assertThat(parked("a").first()).isEqualTo(firstLetter("a").number());
        }

        private String[] parkLong(CopyingReplica copier, int letters) {
            broken.add("a0");
            String[] texts = new String[letters];
            Arrays.setAll(texts, number -> "a" + number);
            appendInput("a", texts);
            run(copier);
            return texts;
        }
    }
}
