package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Staging;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.token.Segments;
import io.holdfast.wire.StartAt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Staged actions run once, at the replica that has claimed the segment, and their receipts state what happened: whichever
 * replica dies, and whatever else changes the letters.
 */
public abstract class LetterActionsKit extends DeadLetterEngineKit {

    private static final Duration BEYOND_THE_LEASE = Duration.ofSeconds(30);
    private static final Duration BEYOND_A_POLL = Duration.ofSeconds(2);

    private Function<Throwable, EnqueueDecision> policy = Decisions::enqueue;

    private CopyingReplica owner() {
        CopyingReplica owner = copier(queue(it -> it.enqueuePolicy((letter, cause) -> policy.apply(cause))));
        run(owner);
        return owner;
    }

    /** Returns a replica that cannot claim the segment, because another one has. */
    private CopyingReplica bystander(CopyingReplica owner) {
        CopyingReplica bystander = otherCopier(builder -> builder);
        runFor(BEYOND_THE_LEASE, owner, bystander);
        assertThat(bystander.processor().status().isClaimed()).isFalse();
        return bystander;
    }

    private Action action(String id, Kind kind, DeadLetter... letters) {
        List<LetterItem> items = new ArrayList<>();
        for (DeadLetter letter : letters) {
            items.add(LetterItem.of(
                    letter, store().deadLetterStore().find(letter.sequence()).orElseThrow()));
        }
        return StagedActions.action(id, kind, items);
    }

    private Action replay(String id, DeadLetter... letters) {
        return action(id, Kind.REPLAY, letters);
    }

    private Action discard(String id, DeadLetter... letters) {
        return action(id, Kind.DISCARD, letters);
    }

    private static void stage(CopyingReplica replica, Action action) {
        assertThat(replica.processor().stage(action)).isInstanceOf(Staging.Staged.class);
    }

    private Receipt receipt(String id) {
        return store().actionStore().find(List.of(id)).get(0);
    }

    private List<Outcome> outcomes(String id) {
        return settledLetters(id).stream().map(LetterOutcome::outcome).toList();
    }

    private List<LetterOutcome> settledLetters(String id) {
        return StagedActions.outcomes(store().actionStore(), id);
    }

    private Outcome outcome(String id) {
        assertThat(receipt(id).isDone()).as("%s", receipt(id)).isTrue();
        return outcomes(id).get(0);
    }

    private String detail(String id) {
        return String.valueOf(settledLetters(id).get(0).detail());
    }

    @Nested
    @Lines(30)
    class Replays {

        @Test
        void runWhereTheSegmentIsClaimed() {
            CopyingReplica owner = owner();
            park(owner, "a");
            CopyingReplica bystander = bystander(owner);
            broken.clear();

            stage(bystander, replay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, bystander, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void runAtOnceIfStagedThere() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.clear();

            stage(owner, replay("1", firstLetter("a")));
            run(owner); // without a poll's interval

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
        }

        @Test
        void countTheLettersThatFollow() {
            CopyingReplica owner = owner();
            failing.add("a1");
            appendInput("a", "a1", "a2", "a3");
            run(owner);
            failing.clear();

            stage(owner, replay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(receipt("1").selected()).isEqualTo(1);
            assertThat(receipt("1").alsoHandled()).isEqualTo(2);
            assertThat(output()).containsExactly("a1", "a2", "a3");
        }

        @Test
        void runOnceHoweverOftenTheyAreStaged() {
            CopyingReplica owner = owner();
            park(owner, "a");
            stage(owner, replay("1", firstLetter("a")));
            Action again = replay("1", firstLetter("a"));
            run(owner);

            assertThat(owner.processor().stage(again)).isEqualTo(new Staging.Known(receipt("1")));
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.FAILED_AGAIN);
            assertThat(attempted).containsExactly("a1");
        }

        @Test
        void reportTheFailedLetterAndThoseBehindIt() {
            CopyingReplica owner = owner();
            park(owner, "a");
            stage(owner, replay("1", letters("a").toArray(DeadLetter[]::new)));

            runFor(BEYOND_A_POLL, owner);

            assertThat(outcomes("1")).containsExactly(Outcome.FAILED_AGAIN, Outcome.NOT_TRIED);
            assertThat(settledLetters("1").get(0).cause())
                    .isEqualTo(firstLetter("a").cause());
            assertThat(settledLetters("1").get(1).detail()).isEqualTo(LetterOutcome.BLOCKED);
            assertThat(attempted).containsExactly("a1");
        }

        @Test
        void reportTheEvictionByThePolicy() {
            CopyingReplica owner = owner();
            park(owner, "a");
            policy = unused -> Decisions.evict();
            stage(owner, replay("1", firstLetter("a")));

            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(detail("1")).isEqualTo(LetterOutcome.EVICTED);
        }

        @Test
        void doNotCountAFailureThatStartedBefore() {
            CopyingReplica owner = owner();
            failing.add("a1");
            appendInput("a", "a1");
            run(owner);
            harness().passTime(Duration.ofMinutes(1));
            owner.step(); // the automatic retry fails, and its unit is not committed yet
            failing.clear();

            stage(owner, replay("1", firstLetter("a")));
            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
        }

        /** The item is staged between the check and the commit of an automatic retry that succeeds. */
        @Test
        void thatComeTooLateReportThatTheEventWasApplied() {
            CopyingReplica owner = owner();
            failing.add("a1");
            appendInput("a", "a1");
            run(owner);
            failing.clear();
            DeadLetter letter = firstLetter("a");
            Action late = replay("1", letter);
            harness().passTime(Duration.ofMinutes(1));
            run(owner);
            assertThat(parked()).isEmpty();

            stage(owner, late);
            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.ALREADY_APPLIED);
            assertThat(output()).containsExactly("a1");
        }

        @Test
        void ofLettersThatAnAutomaticRetryHandlesAreApplied() {
            CopyingReplica owner = owner();
            failing.add("a1");
            appendInput("a", "a1");
            run(owner);
            failing.clear();
            store().actionStore().stage(replay("1", firstLetter("a"))); // no replica has polled it
            harness().passTime(Duration.ofMinutes(1));

            owner.step();
            owner.commit();

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            run(owner);
            assertThat(output()).containsExactly("a1");
        }

        @Test
        void waitUntilAPausedProcessorIsResumed() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.clear();
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);

            stage(owner, replay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);
            assertThat(receipt("1").isDone()).isFalse();
            owner.processor().resume();
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
        }
    }

    @Nested
    class OtherChanges {

        @Test
        void ofAResetClearTheLetter() {
            CopyingReplica owner = owner();
            park(owner, "a");
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);
            stage(owner, replay("1", firstLetter("a")));
            broken.clear();

            CompletableFuture<Integer> reset = owner.processor().reset(StartAt.BEGINNING);
            runUntil(reset, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.CLEARED);
        }

        @Test
        void ofTheOwnerMoveTheAction() {
            CopyingReplica owner = owner();
            park(owner, "a");
            CopyingReplica next = bystander(owner);
            broken.clear();

            stage(next, replay("1", firstLetter("a")));
            owner.processor().release();
            runFor(BEYOND_THE_LEASE, next);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void afterTheDeadlineAreNotMade() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.clear();
            store().actionStore().stage(replay("1", firstLetter("a")));
            harness().passTime(Action.TIME_TO_LIVE);

            runFor(BEYOND_THE_LEASE, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.NOT_TRIED);
            assertThat(detail("1")).isEqualTo(LetterOutcome.EXPIRED);
            assertThat(attempted).isEmpty();
        }

        /** A unit is ready when another replica expires the item: nothing may take effect that the receipt denies. */
        @Test
        void ofADeadlineRejectTheUnitThatIsReady() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.clear();
            stage(owner, replay("1", firstLetter("a")));
            owner.step(); // the handlers have run, and the unit is not committed yet
            harness().passTime(Action.TIME_TO_LIVE);

            assertThat(store().actionStore().expire(ALL, "other")).isEqualTo(1);
            owner.commit();

            assertThat(outcome("1")).isEqualTo(Outcome.NOT_TRIED);
            assertThat(output()).isEmpty();
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        }
    }

    @Nested
    class Discards {

        @Test
        void removeTheLetterAndContinueTheSequence() {
            CopyingReplica owner = owner();
            park(owner, "a");
            stage(owner, discard("1", firstLetter("a")));

            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(settledLetters("1").get(0).detail()).isNull();
            assertThat(output()).containsExactly("a2");
            assertThat(parked()).isEmpty();
        }

        @Test
        void removeTheLastAndAMiddleLetter() {
            CopyingReplica owner = owner();
            park(owner, "a");
            appendInput("a", "a3");
            run(owner);

            stage(owner, discard("1", letters("a").get(1)));
            run(owner);
            stage(owner, discard("2", letters("a").get(1)));
            run(owner);

            assertThat(outcomes("1")).containsExactly(Outcome.DISCARDED);
            assertThat(outcomes("2")).containsExactly(Outcome.DISCARDED);
            assertThat(parkedTexts("a")).containsExactly("a1");
            assertThat(parked("a").size()).isEqualTo(1);
        }

        @Test
        void doNotRejectARunningUnit() {
            CopyingReplica owner = owner();
            park(owner, "a");
            appendInput("b", "b1");
            owner.step(); // b1 is handled, and its unit is not committed yet

            stage(owner, discard("1", firstLetter("a")));
            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(attempted).as("each handler is called once").containsExactly("b1", "a2");
        }

        @Test
        void areRefusedWhileTheSequenceIsBeingReplayed() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.clear();
            stage(owner, replay("1", firstLetter("a")));
            owner.step();

            stage(owner, discard("2", letters("a").get(1)));
            run(owner);

            assertThat(outcome("2")).isEqualTo(Outcome.REFUSED);
            assertThat(detail("2")).isEqualTo(LetterOutcome.BEING_REPLAYED);
            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void waitForAnAutomaticRetryInProgress() {
            CopyingReplica owner = owner();
            failing.add("a1");
            appendInput("a", "a1");
            run(owner);
            harness().passTime(Duration.ofMinutes(1));
            owner.step(); // the retry fails, and its unit is not committed yet

            stage(owner, discard("1", firstLetter("a")));
            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(parked()).isEmpty();
            assertThat(output()).isEmpty();
        }

        @Test
        void letAReplayContinueThatWasRequestedMeanwhile() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.clear();
            stage(owner, discard("1", letters("a").get(1)));
            owner.step(); // the unit that removes the letter is not committed yet

            CompletableFuture<SequenceOutcome> outcome =
                    owner.letters().processSequence(sequence("a").sequence());
            owner.step();
            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(outcome).isCompleted();
            assertThat(outcome.join().drained()).isTrue();
            assertThat(output()).containsExactly("a1");
            assertThat(attempted).containsExactly("a1");
        }

        @Test
        void takeEffectWhileTheProcessorIsPaused() {
            CopyingReplica owner = owner();
            park(owner, "a");
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);

            stage(owner, discard("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(parkedTexts("a")).containsExactly("a2");
        }

        @Test
        void takeEffectForARetiredComponent() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter letter = firstLetter("a");
            owner.processor().release();
            CopyingReplica next = newReplica(builder -> builder.calls(Component.named("other")
                            .on(Noted.class, (event, context) -> {})
                            .build())
                    .retires(COPIES));
            runFor(BEYOND_THE_LEASE.plus(BEYOND_THE_LEASE), next);

            stage(next, discard("1", letter));
            runFor(BEYOND_A_POLL, next);

            assertThat(outcome("1")).isEqualTo(Outcome.DISCARDED);
            assertThat(letters("a")).doesNotContain(letter);
        }
    }

    @Nested
    @Lines(35)
    class Restores {

        private DeadLetter discarded(CopyingReplica owner, String key, int index) {
            DeadLetter letter = letters(key).get(index);
            stage(owner, discard("discard-" + letter.number() + key, letter));
            run(owner);
            assertThat(letters(key)).doesNotContain(letter);
            return letter;
        }

        private Action restore(String id, DeadLetter letter) {
            int hash = Segments.hash(letter.sequence().sequence());
            LetterItem item = new LetterItem(letter.sequence(), letter.message().id(), CopyingReplica.PROCESSOR, hash);
            return StagedActions.action(id, Kind.RESTORE, List.of(item));
        }

        private Action force(Action action) {
            return action.withOptions(Map.of("force", "true"));
        }

        private void assertRestored(String id, String key, String... texts) {
            assertThat(outcome(id)).isEqualTo(Outcome.RESTORED);
            assertThat(parkedTexts(key)).containsExactly(texts);
            assertThat(parked(key).state()).isEqualTo(SequenceState.PENDING);
            assertThat(parked(key).first()).isEqualTo(firstLetter(key).number());
            assertThat(parked(key).size()).isEqualTo(texts.length);
            assertThat(parked(key).escalated()).isTrue();
            assertThat(firstLetter(key).cause()).isNotNull();
            UUID event = firstLetter(key).message().id();
            assertThat(store().actionStore().findResolved(id(COPIES), event)).isEmpty();
        }

        private void assertRefused(String id, String detail) {
            assertThat(outcome(id)).isEqualTo(Outcome.REFUSED);
            assertThat(detail(id)).isEqualTo(detail);
        }

        @Test
        void parkTheLetterAgainBeforeTheOneThatWasBehindIt() {
            CopyingReplica owner = owner();
            broken.add("a2");
            park(owner, "a");
            DeadLetter letter = discarded(owner, "a", 0);
            assertThat(parkedTexts("a")).containsExactly("a2");

            stage(owner, restore("1", letter));
            runFor(BEYOND_A_POLL, owner);

            assertRestored("1", "a", "a1", "a2");
            assertThat(settledLetters("1").get(0).detail()).isNull();
            assertThat(firstLetter("a").cause()).isEqualTo(letter.cause());
            assertThat(attempted).containsExactly("a2");
        }

        @Test
        void areReplayedInOrder() {
            CopyingReplica owner = owner();
            broken.add("a2");
            park(owner, "a");
            stage(owner, restore("1", discarded(owner, "a", 0)));
            runFor(BEYOND_A_POLL, owner);
            broken.clear();

            stage(owner, replay("2", firstLetter("a")));
            run(owner);

            assertThat(outcome("2")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void ofTheLastLetterPrecedeEventsThatFollow() {
            CopyingReplica owner = owner();
            broken.add("a1");
            appendInput("a", "a1");
            run(owner);
            stage(owner, restore("1", discarded(owner, "a", 0)));
            run(owner);

            appendInput("a", "a2");
            run(owner);

            assertRestored("1", "a", "a1", "a2");
            assertThat(output()).isEmpty();
        }

        /** The event is ready in the unit that restores the letter. */
        @Test
        void parkEventsBehindThatAreNotCommittedYet() {
            CopyingReplica owner = owner();
            broken.add("a1");
            appendInput("a", "a1");
            run(owner);
            DeadLetter letter = discarded(owner, "a", 0);

            stage(owner, restore("1", letter));
            appendInput("a", "a2");
            run(owner);

            assertThat(outcomes("1")).hasSize(1);
            if (outcome("1") == Outcome.RESTORED) {
                assertRestored("1", "a", "a1", "a2");
                assertThat(output()).isEmpty();
            } else {
                assertRefused("1", LetterOutcome.ORDER_UNKNOWN);
                assertThat(output()).containsExactly("a2");
            }
        }

        @Test
        void areRefusedIfALaterEventWasHandled() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter letter = discarded(owner, "a", 0);
            assertThat(output()).containsExactly("a2");

            stage(owner, restore("1", letter));
            runFor(BEYOND_A_POLL, owner);

            assertRefused("1", LetterOutcome.ORDER_UNKNOWN);
            assertThat(parked()).isEmpty();
        }

        /** Of three letters, the first two are discarded, and the third one is still parked. */
        @Test
        void areRefusedIfTheLetterBehindItWasRemoved() {
            CopyingReplica owner = owner();
            broken.add("a2");
            broken.add("a3");
            park(owner, "a");
            appendInput("a", "a3");
            run(owner);
            DeadLetter first = discarded(owner, "a", 0);
            DeadLetter second = discarded(owner, "a", 0);

            stage(owner, restore("1", first));
            runFor(BEYOND_A_POLL, owner);
            assertRefused("1", LetterOutcome.ORDER_UNKNOWN);
            stage(owner, restore("2", second));
            runFor(BEYOND_A_POLL, owner);
            assertRestored("2", "a", "a2", "a3");
            stage(owner, restore("3", first));
            runFor(BEYOND_A_POLL, owner);

            assertRestored("3", "a", "a1", "a2", "a3");
        }

        @Test
        void canBeForcedWithBrokenOrder() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter letter = discarded(owner, "a", 0);

            stage(owner, force(restore("1", letter)));
            runFor(BEYOND_A_POLL, owner);

            assertRestored("1", "a", "a1");
            assertThat(detail("1")).isEqualTo(LetterOutcome.ORDER_BROKEN);
        }

        @Test
        void canBeForcedBeforeASequenceThatStartedAgain() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter letter = discarded(owner, "a", 0);
            broken.add("a3");
            appendInput("a", "a3");
            run(owner);

            stage(owner, force(restore("1", letter)));
            runFor(BEYOND_A_POLL, owner);
            assertRestored("1", "a", "a1", "a3");
            broken.clear();
            stage(owner, replay("2", firstLetter("a")));
            run(owner);

            assertThat(outcome("2")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("a2", "a1", "a3");
        }

        @Test
        void ofALetterWithoutCauseExplainWhyItIsPending() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter second = discarded(owner, "a", 1);
            DeadLetter first = discarded(owner, "a", 0);
            assertThat(second.cause()).isNull();

            stage(owner, restore("1", second));
            runFor(BEYOND_A_POLL, owner);
            assertRestored("1", "a", "a2");
            stage(owner, restore("2", first));
            runFor(BEYOND_A_POLL, owner);

            assertRefused("2", LetterOutcome.ORDER_UNKNOWN);
        }

        @Test
        void areRefusedForALetterThatIsNotDiscarded() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter letter = firstLetter("a");

            stage(owner, restore("1", letter));
            runFor(BEYOND_A_POLL, owner);
            assertRefused("1", LetterOutcome.NOT_DISCARDED);
            broken.clear();
            stage(owner, replay("2", letter));
            run(owner);
            stage(owner, restore("3", letter));
            runFor(BEYOND_A_POLL, owner);

            assertRefused("3", LetterOutcome.NOT_DISCARDED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void areRefusedWithoutRoom() {
            CopyingReplica owner = copier(queue(it -> it.maxSequences(1)));
            broken.add("a1");
            appendInput("a", "a1");
            run(owner);
            DeadLetter letter = discarded(owner, "a", 0);
            park(owner, "b");

            stage(owner, restore("1", letter));
            runFor(BEYOND_A_POLL, owner);

            assertRefused("1", LetterOutcome.QUEUE_FULL);
            assertThat(owner.processor().status().segments())
                    .allMatch(segment -> segment.error().isEmpty());
        }

        @Test
        void doNotRejectARunningUnit() {
            CopyingReplica owner = owner();
            broken.add("a2");
            park(owner, "a");
            DeadLetter letter = discarded(owner, "a", 0);
            attempted.clear();
            appendInput("b", "b1");
            owner.step(); // b1 is handled, and its unit is not committed yet

            stage(owner, restore("1", letter));
            run(owner);

            assertRestored("1", "a", "a1", "a2");
            assertThat(attempted).as("each handler is called once").containsExactly("b1");
        }

        @Test
        void takeEffectWhileTheProcessorIsPaused() {
            CopyingReplica owner = owner();
            broken.add("a2");
            park(owner, "a");
            DeadLetter letter = discarded(owner, "a", 0);
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);

            stage(owner, restore("1", letter));
            runFor(BEYOND_A_POLL, owner);

            assertRestored("1", "a", "a1", "a2");
        }

        /** Without the token of a claimed segment, it is not known which events were handled. */
        @Test
        void ofTheLastLetterAreRefusedWhileTheProcessorIsPaused() {
            CopyingReplica owner = owner();
            broken.add("a1");
            appendInput("a", "a1");
            run(owner);
            DeadLetter letter = discarded(owner, "a", 0);
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);

            stage(owner, restore("1", letter));
            runFor(BEYOND_A_POLL, owner);
            assertRefused("1", LetterOutcome.ORDER_UNKNOWN);
            stage(owner, force(restore("2", letter)));
            runFor(BEYOND_A_POLL, owner);

            assertRestored("2", "a", "a1");
        }
    }

    @Nested
    @Lines(34)
    class Edits {

        private static final String FIXED = "{\"text\":\"fixed\"}";

        private Action edit(String id, DeadLetter letter, Map<String, String> options) {
            Map<String, String> all = new HashMap<>(options);
            all.put(Action.PAYLOAD, FIXED);
            return action(id, Kind.EDIT, letter).withOptions(all);
        }

        private Action edit(String id, DeadLetter letter) {
            return edit(id, letter, Map.of(Action.EXPECTED_VERSION, letter.version()));
        }

        private Action editAndReplay(String id, DeadLetter letter) {
            return edit(id, letter, Map.of(Action.REPLAYS, "true"));
        }

        private void assertRefused(String id, String detail) {
            assertThat(outcome(id)).isEqualTo(Outcome.REFUSED);
            assertThat(detail(id)).isEqualTo(detail);
        }

        private List<LetterOriginal> originals(DeadLetter letter) {
            return store().entryStore()
                    .find(letter.sequence().component(), letter.message().id())
                    .orElseThrow()
                    .originals();
        }

        private LetterOriginal original(DeadLetter letter, String action) {
            return new LetterOriginal(
                    letter.sequence().component(),
                    letter.message().id(),
                    action,
                    letter.message().payload().json());
        }

        @Test
        void replaceThePayloadAndKeepThePlace() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter before = firstLetter("a");
            ParkedSequence sequence = parked("a");

            stage(owner, edit("1", before));
            runFor(BEYOND_A_POLL, owner);

            DeadLetter after = firstLetter("a");
            assertThat(outcome("1")).isEqualTo(Outcome.EDITED);
            assertThat(parkedTexts("a")).containsExactly("fixed", "a2");
            assertThat(after.message()).isEqualTo(before.message().withJson(FIXED));
            assertThat(after.number()).isEqualTo(before.number());
            assertThat(after.cause()).isEqualTo(before.cause());
            assertThat(after.attempts()).isEqualTo(before.attempts());
            assertThat(parked("a")).isEqualTo(sequence);
            assertThat(originals(after)).containsExactly(original(before, "1"));
            assertThat(store().eventLog().readKey(INPUT.stream(), "a", 0, 1))
                    .as("the log is not touched")
                    .containsExactly(before.message());
            assertThat(attempted).isEmpty();
        }

        @Test
        void ofALetterBehindAnotherOneAreReplayedInOrder() {
            CopyingReplica owner = owner();
            park(owner, "a");
            stage(owner, edit("1", letters("a").get(1)));
            runFor(BEYOND_A_POLL, owner);
            broken.clear();

            stage(owner, replay("2", firstLetter("a")));
            run(owner);

            assertThat(output()).containsExactly("a1", "fixed");
        }

        @Test
        void keepEachOriginalAlsoAfterTheReplay() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter before = firstLetter("a");
            stage(owner, edit("1", before));
            runFor(BEYOND_A_POLL, owner);
            DeadLetter between = firstLetter("a");

            stage(owner, edit("2", between));
            runFor(BEYOND_A_POLL, owner);
            stage(owner, replay("3", firstLetter("a")));
            run(owner);

            assertThat(parked()).isEmpty();
            assertThat(originals(before)).containsExactly(original(before, "1"), original(between, "2"));
        }

        @Test
        void areRefusedIfTheLetterHasChanged() {
            CopyingReplica owner = owner();
            park(owner, "a");
            Action stale = edit("2", firstLetter("a"));
            stage(owner, edit("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);
            DeadLetter edited = firstLetter("a");

            stage(owner, stale);
            runFor(BEYOND_A_POLL, owner);

            assertRefused("2", LetterOutcome.STALE);
            assertThat(firstLetter("a")).isEqualTo(edited);
            assertThat(originals(edited)).hasSize(1);
        }

        @Test
        void resetTheCountOfFailedReplays() {
            CopyingReplica owner = owner();
            park(owner, "a");
            stage(owner, replay("1", firstLetter("a")));
            run(owner);
            assertThat(firstLetter("a").failedReplays()).isEqualTo(1);

            stage(owner, edit("2", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);

            assertThat(firstLetter("a").failedReplays()).isZero();
        }

        @Test
        void areRefusedIfTheLetterIsNotParked() {
            CopyingReplica owner = owner();
            park(owner, "a");
            Action late = edit("1", firstLetter("a"));
            broken.clear();
            stage(owner, replay("2", firstLetter("a")));
            run(owner);

            stage(owner, late);
            runFor(BEYOND_A_POLL, owner);

            assertRefused("1", LetterOutcome.NOT_PARKED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        /** The receipt must not state that the letter was handled with the new payload. */
        @Test
        void areNotSettledByAnAutomaticRetry() {
            CopyingReplica owner = owner();
            failing.add("a1");
            appendInput("a", "a1");
            run(owner);
            failing.clear();
            store().actionStore().stage(edit("1", firstLetter("a"))); // no replica has polled it
            harness().passTime(Duration.ofMinutes(1));

            owner.step();
            owner.commit();
            assertThat(output()).containsExactly("a1");
            assertThat(receipt("1").isDone()).isFalse();
            runFor(BEYOND_A_POLL, owner);

            assertRefused("1", LetterOutcome.NOT_PARKED);
        }

        @Test
        void replayInTheSameAction() {
            CopyingReplica owner = owner();
            park(owner, "a");

            stage(owner, editAndReplay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(receipt("1").kind()).isEqualTo(Kind.EDIT);
            assertThat(output()).containsExactly("fixed", "a2");
        }

        @Test
        void reportAReplayThatFailsAgain() {
            CopyingReplica owner = owner();
            park(owner, "a");
            broken.add("fixed");

            stage(owner, editAndReplay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.FAILED_AGAIN);
            assertThat(parkedTexts("a")).containsExactly("fixed", "a2");
            assertThat(firstLetter("a").failedReplays()).isEqualTo(1);
            assertThat(attempted).containsExactly("fixed");
        }

        @Test
        void replayOnceAPausedProcessorIsResumed() {
            CopyingReplica owner = owner();
            park(owner, "a");
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);

            stage(owner, editAndReplay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);
            assertThat(parkedTexts("a")).containsExactly("fixed", "a2");
            assertThat(receipt("1").isDone()).isFalse();
            owner.processor().resume();
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("fixed", "a2");
        }

        @Test
        void areReportedIfTheReplayIsNotTriedInTime() {
            CopyingReplica owner = owner();
            park(owner, "a");
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);
            stage(owner, editAndReplay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, owner);

            harness().passTime(Action.TIME_TO_LIVE);
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.EDITED);
            assertThat(detail("1")).isEqualTo(LetterOutcome.EXPIRED);
            assertThat(parkedTexts("a")).containsExactly("fixed", "a2");
        }

        @Test
        void areReportedIfALetterBeforeFails() {
            CopyingReplica owner = owner();
            park(owner, "a");

            stage(owner, editAndReplay("1", letters("a").get(1)));
            runFor(BEYOND_A_POLL, owner);

            assertThat(outcome("1")).isEqualTo(Outcome.EDITED);
            assertThat(detail("1")).isEqualTo(LetterOutcome.BLOCKED);
            assertThat(parkedTexts("a")).containsExactly("a1", "fixed");
        }

        @Test
        void areReportedIfNoVersionHandlesTheEvent() {
            CopyingReplica owner = owner();
            park(owner, "a");
            owner.processor().release();
            CopyingReplica without = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on("Unrelated", (payload, context) -> {})
                    .build()));
            runFor(BEYOND_THE_LEASE, without);

            stage(without, editAndReplay("1", firstLetter("a")));
            runFor(BEYOND_A_POLL, without);

            assertThat(outcome("1")).isEqualTo(Outcome.EDITED);
            assertThat(detail("1")).isEqualTo(LetterOutcome.NO_HANDLER);
        }

        @Test
        void doNotRejectARunningUnit() {
            CopyingReplica owner = owner();
            park(owner, "a");
            appendInput("b", "b1");
            owner.step(); // b1 is handled, and its unit is not committed yet

            stage(owner, edit("1", firstLetter("a")));
            run(owner);

            assertThat(outcome("1")).isEqualTo(Outcome.EDITED);
            assertThat(attempted).as("each handler is called once").containsExactly("b1");
        }

        @Test
        void areValidatedAgainstTheEventClass() {
            CopyingReplica owner = owner();
            park(owner, "a");
            DeadLetter letter = firstLetter("a");

            owner.processor().requireReadable(letter, FIXED);
            for (String unreadable : List.of("{", "null", "[]", "{\"text\":[1]}", "")) {
                assertThatExceptionOfType(PermanentException.class)
                        .as(unreadable)
                        .isThrownBy(() -> owner.processor().requireReadable(letter, unreadable))
                        .withMessageContaining("Noted");
            }
        }
    }

    /** Over all replicas, each entry is added once, and replayed or discarded once. */
    @Nested
    class Metrics {

        private final List<SimpleMeterRegistry> registries = new ArrayList<>();

        private CopyingReplica counting(CopyingReplica... before) {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            registries.add(registry);
            return before.length == 0
                    ? copier(builder -> builder.metrics(registry))
                    : otherCopier(builder -> builder.metrics(registry));
        }

        private long count(String counter) {
            return (long) registries.stream()
                    .flatMap(registry -> registry.find("dlq.entries." + counter).counters().stream())
                    .mapToDouble(Counter::count)
                    .sum();
        }

        private void assertCounts(long added, long replayed, long discarded) {
            long parkedEntries = parked().stream()
                    .filter(ParkedSequence::escalated)
                    .mapToLong(ParkedSequence::size)
                    .sum();
            assertThat(List.of(count("added"), count("replayed"), count("discarded")))
                    .as("added, replayed, discarded")
                    .containsExactly(added, replayed, discarded);
            assertThat(added - replayed - discarded).as("parked entries").isEqualTo(parkedEntries);
        }

        @Test
        void countALetterThatFollowsADiscardedOne() {
            CopyingReplica owner = counting();
            run(owner);
            park(owner, "a");
            assertCounts(2, 0, 0);

            stage(owner, discard("1", firstLetter("a")));
            run(owner);

            assertThat(output()).containsExactly("a2");
            assertCounts(2, 1, 1);
        }

        @Test
        void countLettersOnceThatFailBehindADiscardedOne() {
            CopyingReplica owner = counting();
            run(owner);
            broken.add("a2");
            park(owner, "a");

            stage(owner, discard("1", firstLetter("a")));
            run(owner);

            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertCounts(2, 0, 1);
        }

        @Test
        void countLettersOnceThatFailBehindAReplayedOne() {
            CopyingReplica owner = counting();
            run(owner);
            broken.add("a2");
            park(owner, "a");
            broken.remove("a1");

            stage(owner, replay("1", firstLetter("a")));
            run(owner);

            assertThat(parkedTexts("a")).containsExactly("a2");
            assertCounts(2, 1, 0);
        }

        @Test
        void countReplaysThatOtherReplicasRequest() {
            CopyingReplica owner = counting();
            run(owner);
            park(owner, "a");
            CopyingReplica bystander = counting(owner);
            runFor(BEYOND_THE_LEASE, owner, bystander);

            CompletableFuture<SequenceOutcome> failed =
                    bystander.letters().processSequence(sequence("a").sequence());
            runFor(Duration.ofSeconds(5), bystander, owner);
            assertThat(failed.join().drained()).isFalse();
            assertCounts(2, 0, 0);
            broken.clear();
            CompletableFuture<SequenceOutcome> drained =
                    bystander.letters().processSequence(sequence("a").sequence());
            runFor(Duration.ofSeconds(5), bystander, owner);

            assertThat(drained.join().drained()).isTrue();
            assertCounts(2, 2, 0);
        }

        @Test
        void countLettersParkedBehindAnEscalatedSequenceThatIsRetried() {
            CopyingReplica owner = counting();
            run(owner);
            failing.add("a2");
            park(owner, "a");
            stage(owner, discard("1", firstLetter("a")));
            run(owner);
            assertThat(parked("a").state()).isEqualTo(SequenceState.RETRYING);

            appendInput("a", "a3");
            run(owner);

            assertCounts(3, 0, 1);
        }

        @Test
        void countARestoredLetterAgain() {
            CopyingReplica owner = counting();
            run(owner);
            broken.add("a2");
            park(owner, "a");
            DeadLetter letter = firstLetter("a");
            LetterItem item = LetterItem.of(letter, parked("a"));
            stage(owner, discard("1", letter));
            run(owner);

            stage(owner, StagedActions.action("2", Kind.RESTORE, List.of(item)));
            runFor(BEYOND_A_POLL, owner);
            assertCounts(3, 0, 1);
            broken.clear();
            stage(owner, replay("3", firstLetter("a")));
            run(owner);

            assertCounts(3, 2, 1);
        }

        @Test
        void countLettersThatOperatorsRemoveBeforeTheyAreEscalated() {
            CopyingReplica owner = counting();
            run(owner);
            failing.addAll(List.of("a1", "b1"));
            appendInput("a", "a1");
            appendInput("b", "b1", "b2");
            run(owner);
            assertCounts(0, 0, 0);
            failing.clear();

            stage(owner, discard("1", firstLetter("a")));
            stage(owner, replay("2", firstLetter("b")));
            run(owner);

            assertThat(parked()).isEmpty();
            assertCounts(3, 2, 1);
        }

        @Test
        void doNotCountAutomaticRetriesOfOtherSequences() {
            CopyingReplica owner = counting();
            run(owner);
            failing.add("a1");
            appendInput("a", "a1", "a2");
            run(owner);
            failing.clear();

            runFor(Duration.ofMinutes(1), owner);

            assertThat(output()).containsExactly("a1", "a2");
            assertCounts(0, 0, 0);
        }

        @Test
        void countChangesWhileTheProcessorIsPaused() {
            CopyingReplica owner = counting();
            run(owner);
            broken.add("a2");
            park(owner, "a");
            DeadLetter letter = firstLetter("a");
            LetterItem item = LetterItem.of(letter, parked("a"));
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner);

            stage(owner, discard("1", letter));
            runFor(BEYOND_A_POLL, owner);
            assertCounts(2, 0, 1);
            stage(owner, StagedActions.action("2", Kind.RESTORE, List.of(item)));
            runFor(BEYOND_A_POLL, owner);

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertCounts(3, 0, 1);
        }
    }

    /** The caller's replica does not own the segment. */
    @Nested
    @Lines(16)
    class RemoteSequences {

        @Test
        void returnTheOutcomeOfEachLetter() {
            CopyingReplica owner = owner();
            park(owner, "a");
            CopyingReplica bystander = bystander(owner);
            broken.clear();

            CompletableFuture<SequenceOutcome> outcome =
                    bystander.letters().processSequence(sequence("a").sequence());
            runFor(Duration.ofSeconds(5), bystander, owner);

            assertThat(outcome).isCompleted();
            assertThat(outcome.join().drained()).isTrue();
            assertThat(outcome.join().letters())
                    .extracting(LetterOutcome::outcome)
                    .containsExactly(Outcome.APPLIED, Outcome.APPLIED);
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void returnTheFailure() {
            CopyingReplica owner = owner();
            park(owner, "a");
            CopyingReplica bystander = bystander(owner);

            CompletableFuture<SequenceOutcome> outcome =
                    bystander.letters().processSequence(sequence("a").sequence());
            runFor(Duration.ofSeconds(5), bystander, owner);

            assertThat(outcome).isCompleted();
            assertThat(outcome.join().drained()).isFalse();
            assertThat(outcome.join().letters())
                    .extracting(LetterOutcome::outcome)
                    .containsExactly(Outcome.FAILED_AGAIN, Outcome.NOT_TRIED);
            assertThat(attempted).containsExactly("a1");
        }

        @Test
        void waitForTheActionThatLocksALetter() {
            CopyingReplica owner = owner();
            park(owner, "a");
            CopyingReplica bystander = bystander(owner);
            broken.clear();
            owner.processor().pause();
            runFor(BEYOND_A_POLL, owner, bystander);
            stage(bystander, replay("1", firstLetter("a")));
            owner.processor().resume();
            runFor(Duration.ofMillis(999), bystander);

            CompletableFuture<SequenceOutcome> outcome =
                    bystander.letters().processSequence(sequence("a").sequence());
            runFor(Duration.ofSeconds(8), bystander, owner);

            assertThat(outcome).isCompleted();
            assertThat(outcome.join().drained()).isTrue();
            assertThat(outcome("1")).isEqualTo(Outcome.APPLIED);
            assertThat(output()).containsExactly("a1", "a2");
        }
    }

    @Nested
    class Crashes {

        /** Runs an action to its end: its replica dies at the moment, if it reaches it, and another one takes over. */
        private void runWithCrash(Moment moment, Action action) {
            CopyingReplica dying = copier();
            run(dying);
            harness().crashPoints().crashAt(moment);
            try {
                dying.processor().stage(action);
                run(dying);
            } catch (SimulatedCrash e) {
                harness().crashPoints().clear();
            }
            harness().crashPoints().clear();
            harness().passTime(BEYOND_THE_LEASE);
            CopyingReplica next = copier();
            next.processor().stage(action); // the client repeats its request
            runFor(BEYOND_A_POLL, next);
            next.processor().release();
        }

        private final List<Moment> moments = Moment.of(
                CommitPoint.ACTION_STAGE,
                CommitPoint.LOCK_HEAD,
                CommitPoint.WRITE_EVENTS,
                CommitPoint.WRITE_TOKENS,
                CommitPoint.WRITE_LETTERS,
                CommitPoint.WRITE_OUTCOMES,
                CommitPoint.COMMIT,
                CommitPoint.ACTION_SETTLE);

        @Test
        void neitherLoseNorRepeatAReplay() {
            for (Moment moment : moments) {
                String key = moment.toString().replace(' ', '-');
                CopyingReplica first = copier();
                park(first, key);
                first.processor().release();
                broken.clear();

                runWithCrash(moment, replay(key, firstLetter(key)));

                assertThat(outcome(key)).as(key).isEqualTo(Outcome.APPLIED);
                assertThat(output(key)).as(key).containsExactly(key + "1", key + "2");
            }
        }

        @Test
        void neitherLoseNorRepeatADiscard() {
            for (Moment moment : moments) {
                String key = moment.toString().replace(' ', '-');
                CopyingReplica first = copier();
                park(first, key);
                first.processor().release();
                broken.clear();

                runWithCrash(moment, discard(key, firstLetter(key)));

                assertThat(outcome(key)).as(key).isEqualTo(Outcome.DISCARDED);
                assertThat(output(key)).as(key).containsExactly(key + "2");
            }
        }

        @Test
        void neitherLoseNorRepeatARestore() {
            for (Moment moment : moments) {
                String key = moment.toString().replace(' ', '-');
                CopyingReplica first = copier();
                broken.add(key + "2");
                park(first, key);
                DeadLetter letter = firstLetter(key);
                LetterItem item = LetterItem.of(letter, parked(key));
                stage(first, discard("discard-" + key, letter));
                run(first);
                first.processor().release();

                runWithCrash(moment, StagedActions.action(key, Kind.RESTORE, List.of(item)));

                assertThat(outcome(key)).as(key).isEqualTo(Outcome.RESTORED);
                assertThat(parkedTexts(key)).as(key).containsExactly(key + "1", key + "2");
            }
        }

        @Test
        void neitherLoseNorRepeatAnEditWithItsReplay() {
            for (Moment moment : moments) {
                String key = moment.toString().replace(' ', '-');
                CopyingReplica first = copier();
                park(first, key);
                first.processor().release();
                String fixed = key + "-fixed";
                Map<String, String> options =
                        Map.of(Action.PAYLOAD, "{\"text\":\"" + fixed + "\"}", Action.REPLAYS, "true");

                runWithCrash(moment, action(key, Kind.EDIT, firstLetter(key)).withOptions(options));

                assertThat(outcome(key)).as(key).isEqualTo(Outcome.APPLIED);
                assertThat(output(key)).as(key).containsExactly(fixed, key + "2");
            }
        }

        @Test
        void leaveNoItemOpenBehindAFailure() {
            for (Moment moment : moments) {
                String key = moment.toString().replace(' ', '-');
                CopyingReplica first = copier();
                park(first, key);
                first.processor().release();

                runWithCrash(moment, replay(key, letters(key).toArray(DeadLetter[]::new)));

                assertThat(outcomes(key)).as(key).containsExactly(Outcome.FAILED_AGAIN, Outcome.NOT_TRIED);
                assertThat(parkedTexts(key)).as(key).containsExactly(key + "1", key + "2");
            }
        }
    }

    @Nested
    class Outages {

        @Test
        void ofTheStoreDelayTheSettlement() {
            CopyingReplica owner = owner();
            park(owner, "a");
            harness().crashPoints().runAt(new Moment(CommitPoint.ACTION_SETTLE, false), () -> {
                throw new RetryableException("no connection");
            });
            stage(owner, replay("1", letters("a").toArray(DeadLetter[]::new)));
            run(owner);

            runFor(BEYOND_A_POLL, owner);

            assertThat(outcomes("1")).containsExactly(Outcome.FAILED_AGAIN, Outcome.NOT_TRIED);
            assertThat(attempted).containsExactly("a1");
        }
    }
}
