package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.holdfast.wire.StartAt;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A replay returns what became of each letter, as it was committed. */
public abstract class LetterOutcomesKit extends RecoveryScenario {

    private Function<Throwable, EnqueueDecision> policy = Decisions::enqueue;

    private SequenceOutcome replay(CopyingReplica replica, String key) {
        CompletableFuture<SequenceOutcome> outcome =
                replica.letters().processSequence(sequence(key).sequence());
        runUntil(outcome, replica);
        return outcome.join();
    }

    private CopyingReplica copierWithPolicy() {
        return copier(queue(it -> it.enqueuePolicy((letter, cause) -> policy.apply(cause))));
    }

    private static List<Outcome> outcomes(SequenceOutcome sequence) {
        return sequence.letters().stream().map(LetterOutcome::outcome).toList();
    }

    private EventMessage input(String key) {
        return store().eventLog().readKey(INPUT.stream(), key, 0, 1).get(0);
    }

    @Nested
    @Lines(14)
    class Handled {

        @Test
        void lettersAreAppliedInOrder() {
            CopyingReplica copier = copier();
            park(copier, "a");
            List<EventMessage> events =
                    letters("a").stream().map(letter -> letter.message()).toList();
            broken.clear();

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isTrue();
            assertThat(outcome.letters())
                    .containsExactly(
                            new LetterOutcome(id(COPIES), events.get(0).id(), Outcome.APPLIED, null, null, 1),
                            new LetterOutcome(id(COPIES), events.get(1).id(), Outcome.APPLIED, null, null, 1));
        }

        @Test
        void lettersBeforeAFailureAreApplied() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();
            broken.add("a2");

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isFalse();
            assertThat(outcomes(outcome)).containsExactly(Outcome.APPLIED, Outcome.FAILED_AGAIN);
            assertThat(outcome.letters().get(1).cause())
                    .isEqualTo(firstLetter("a").cause());
        }

        @Test
        void lettersOfALongSequenceAreReportedOnce() {
            CopyingReplica copier = copier();
            park(copier, "a");
            for (int i = 3; i <= 250; i++) { // more than are committed together
                appendInput("a", "a" + i);
            }
            run(copier);
            broken.clear();

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isTrue();
            assertThat(outcome.letters()).hasSize(250).doesNotHaveDuplicates();
            assertThat(outcomes(outcome)).containsOnly(Outcome.APPLIED);
        }

        @Test
        void letterOfAHandledEventWasAlreadyApplied() {
            CopyingReplica copier = copier();
            appendInput("a", "a1");
            run(copier);
            copier.queue()
                    .enqueue(sequence("a").sequence(), input("a"), Cause.of(new IllegalStateException("parked again")));
            runFor(Duration.ofSeconds(2), copier); // the segment loads the letter

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isTrue();
            assertThat(outcome.letters())
                    .containsExactly(
                            new LetterOutcome(id(COPIES), input("a").id(), Outcome.ALREADY_APPLIED, null, null, 0));
            assertThat(output()).containsExactly("a1");
        }

        @Test
        void letterIsAppliedAfterAResetAlthoughItsEventsExist() {
            CopyingReplica copier = copier();
            appendInput("a", "a1");
            run(copier);
            broken.add("a1");
            CompletableFuture<Integer> reset = copier.processor().reset(StartAt.BEGINNING);
            runUntil(reset, copier);
            assertThat(parkedTexts("a")).containsExactly("a1");
            broken.clear();

            assertThat(outcomes(replay(copier, "a"))).containsExactly(Outcome.APPLIED);

            assertThat(output()).containsExactly("a1");
        }

        @Test
        void letterIsAppliedByTheRecovery() {
            CopyingReplica recoverer = recoverer();
            broken.add("a1");
            unrecoverable.add("a1");
            appendInput("a", "a1");
            run(recoverer);
            unrecoverable.clear();

            SequenceOutcome outcome = replay(recoverer, "a");

            assertThat(outcome.letters()).singleElement().satisfies(letter -> {
                assertThat(letter.outcome()).isEqualTo(Outcome.APPLIED);
                assertThat(letter.detail()).isEqualTo(LetterOutcome.RECOVERED);
                assertThat(letter.appended()).isEqualTo(1);
            });
        }
    }

    @Nested
    class NotHandled {

        @Test
        void letterFailsAgainWithTheNewCause() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();
            failing.add("a1");

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isFalse();
            assertThat(outcome.letters()).singleElement().satisfies(letter -> {
                assertThat(letter.outcome()).isEqualTo(Outcome.FAILED_AGAIN);
                assertThat(letter.cause()).extracting("message").isEqualTo("cannot copy a1");
            });
        }

        @Test
        @Lines(26)
        void letterIsDiscardedByThePolicy() {
            CopyingReplica copier = copierWithPolicy();
            park(copier, "a");
            policy = unused -> Decisions.evict();

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isTrue();
            assertThat(outcomes(outcome)).containsExactly(Outcome.DISCARDED, Outcome.APPLIED);
            assertThat(outcome.letters().get(0).detail()).isEqualTo(LetterOutcome.EVICTED);
            assertThat(output()).containsExactly("a2");
        }

        @Test
        void letterIsNotTriedWhileItsBreakerIsOpen() {
            ResilientServiceInvoker breakers = ResilientServiceInvoker.builder(
                            CopyingReplica.RESILIENCE, new SimpleMeterRegistry())
                    .clock(harness().clock())
                    .build();
            BreakerProbes probes = new BreakerProbes(CopyingReplica.RESILIENCE);
            CopyingReplica copier =
                    newReplica(builder -> builder.resilience(CopyingReplica.RESILIENCE, breakers, probes)
                            .calls(Component.named(COPIES)
                                    .on(Noted.class, this::copyNoted)
                                    .guardedBy("payment")
                                    .build()));
            park(copier, "a");
            broken.clear();
            boolean unused = breakers.isClosed("payment"); // creates it
            breakers.circuitBreakers().circuitBreaker("payment").transitionToOpenState();

            SequenceOutcome outcome = replay(copier, "a");

            assertThat(outcome.drained()).isFalse();
            assertThat(outcome.letters()).singleElement().satisfies(letter -> {
                assertThat(letter.outcome()).isEqualTo(Outcome.NOT_TRIED);
                assertThat(letter.detail()).isEqualTo(LetterOutcome.BREAKER_OPEN);
            });
            assertThat(attempted).isEmpty();
        }

        private void copyNoted(Noted event, EventContext context) {
            copy(event, context);
        }

        @Test
        void sequenceThatIsNotParkedHasNoOutcome() {
            CopyingReplica copier = copier();
            park(copier, "a");

            assertThat(replay(copier, "b")).isEqualTo(new SequenceOutcome(false, List.of()));
        }
    }

    /** The operator fixes the cause and requests a replay while an automatic retry still runs and fails. */
    @Test
    void failureOfAnAttemptThatStartedBeforeTheRequestDoesNotCount() {
        CopyingReplica copier = copier();
        failing.add("a1");
        appendInput("a", "a1");
        run(copier);
        harness().passTime(Duration.ofMinutes(1));
        copier.step(); // the retry fails, and its unit is not committed yet
        failing.clear();

        SequenceOutcome outcome = replay(copier, "a");

        assertThat(outcome.drained()).isTrue();
        assertThat(outcomes(outcome)).containsExactly(Outcome.APPLIED);
    }
}
