package io.holdfast.tck.deadletter;

import static io.holdfast.tck.harness.ScriptedBreakers.Outcome.FAILED;
import static io.holdfast.tck.harness.ScriptedBreakers.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.handling.Component;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.ScriptedBreakers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Where an event would become PENDING, the recovery of its component handles it, once. */
public abstract class RecoveryKit extends RecoveryScenario {

    @Nested
    class FinalFailures {

        @Test
        void areRecoveredAtTheFirstAttempt() {
            CopyingReplica copier = recoverer();
            broken.add("a1");
            appendInput("a", "a1", "a2", "a3");
            appendInput("b", "b1");

            run(copier);
            appendInput("a", "a4");
            run(copier);

            assertThat(output("a")).containsExactly("~a1", "a2", "a3", "a4");
            assertThat(output("b")).containsExactly("b1");
            assertThat(recovered).containsExactly("a1");
            assertThat(failures).singleElement().isInstanceOf(Broken.class);
            assertNothingParked();
            assertThat(changes).isEmpty();
        }

        @Test
        void areNotRecoveredAgainAfterARestart() {
            CopyingReplica copier = recoverer();
            broken.add("a1");
            appendInput("a", "a1");
            run(copier);
            copier.processor().release();

            run(recoverer());

            assertThat(attempted).containsExactly("a1");
            assertThat(recovered).containsExactly("a1");
            assertThat(output()).containsExactly("~a1");
        }

        @Test
        void areRecoveredAfterTheLastAttempt() {
            CopyingReplica copier = recoverer();
            failing.add("a1");
            appendInput("a", "a1", "a2");
            run(copier);
            assertThat(parked("a").state()).isEqualTo(SequenceState.RETRYING);
            assertThat(recovered).isEmpty();

            runFor(Duration.ofSeconds(5), copier);

            assertThat(attempted).containsExactly("a1", "a1", "a1", "a2");
            assertThat(recovered).containsExactly("a1");
            assertThat(output()).containsExactly("~a1", "a2");
            assertNothingParked();
            assertThat(kinds())
                    .startsWith(Kind.PARKED, Kind.PARKED_BEHIND, Kind.FAILED_AGAIN, Kind.REPLAYED)
                    .doesNotContain(Kind.PENDING, Kind.EVICTED);
        }

        @Test
        void ofSeveralEventsAreRecoveredInOrder() {
            CopyingReplica copier = recoverer();
            broken.addAll(List.of("a1", "a2", "a4"));
            appendInput("a", "a1", "a2", "a3", "a4", "a5");

            run(copier);
            run(copier);

            assertThat(output()).containsExactly("~a1", "~a2", "a3", "~a4", "a5");
            assertThat(recovered).containsExactly("a1", "a2", "a4");
            assertNothingParked();
        }

        @Test
        void passTheLetterOnlyIfTheEventWasParked() {
            List<Optional<DeadLetter>> letters = new ArrayList<>();
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, RecoveryKit.this::copy)
                    .recoverWith((context, failure) -> letters.add(context.deadLetter()))
                    .build()));
            broken.add("a1");
            failing.add("b1");
            appendInput("a", "a1");
            run(copier);
            appendInput("b", "b1");

            runFor(Duration.ofSeconds(5), copier);

            assertThat(letters).hasSize(2);
            assertThat(letters.get(0)).isEmpty();
            assertThat(letters.get(1))
                    .hasValueSatisfying(letter -> assertThat(letter.attempts()).hasSize(2));
            assertThat(output()).as("a recovery may do nothing").isEmpty();
            assertNothingParked();
        }

        @Test
        void areReportedToTheBreakerAsFailures() {
            ScriptedBreakers breakers = new ScriptedBreakers(() -> false);
            CopyingReplica copier = newReplica(builder -> builder.resilience(
                            CopyingReplica.RESILIENCE, breakers, new BreakerProbes(CopyingReplica.RESILIENCE))
                    .calls(recovering().guardedBy("payment").build()));
            broken.add("a1");
            appendInput("a", "a1");
            run(copier);
            appendInput("a", "a2");
            run(copier);

            assertThat(output()).containsExactly("~a1", "a2");
            assertThat(breakers.outcomes()).containsExactly(FAILED, SUCCEEDED);
            assertThat(breakers.openCalls()).isZero();
        }
    }

    @Nested
    class Replays {

        @Test
        void callTheHandlerAndRecoverAgain() {
            CopyingReplica copier = recoverer();
            unrecoverable.add("a1");
            park(copier, "a");
            assertThat(processAny(copier)).isFalse();
            assertThat(recovered).containsExactly("a1", "a1");
            unrecoverable.clear();
            changes.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(attempted).containsExactly("a1", "a1", "a2");
            assertThat(recovered).containsExactly("a1", "a1", "a1");
            assertThat(output()).containsExactly("~a1", "a2");
            assertNothingParked();
            assertThat(kinds()).containsOnly(Kind.REPLAYED);
            assertThat(changes.stream().flatMap(change -> change.removedEvents().stream()))
                    .hasSize(2);
        }

        @Test
        void needNoRecoveryIfTheHandlerSucceeds() {
            CopyingReplica copier = recoverer();
            unrecoverable.add("a1");
            park(copier, "a");
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(recovered).containsExactly("a1");
            assertThat(output()).containsExactly("a1", "a2");
        }

        @Test
        void continueBehindARecoveredLetter() {
            CopyingReplica copier = recoverer();
            unrecoverable.add("a1");
            park(copier, "a");
            appendInput("a", "a3", "a4");
            run(copier);
            unrecoverable.clear();
            broken.clear();
            broken.add("a3");

            assertThat(processAny(copier)).isTrue();

            assertThat(output()).containsExactly("a1", "a2", "~a3", "a4");
            assertNothingParked();
        }
    }

    @Nested
    class OtherVersions {

        /** This version cannot read what the handler has met, which is no failure of the event. */
        @Test
        void areAwaitedInsteadOfRecovering() {
            List<String> unsupported = new ArrayList<>(List.of("a1"));
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, (event, context) -> {
                        copy(event, context);
                        if (unsupported.contains(event.text())) {
                            throw new UnsupportedHereException("cannot read " + event.text(), "Upgrade.");
                        }
                    })
                    .recoverWith((context, failure) -> recovered.add("recovered"))
                    .build()));
            appendInput("a", "a1", "a2");

            run(copier);
            assertThat(parked("a").awaits()).isNotNull();
            harness().passTime(CopyingReplica.RESILIENCE.maxHold());
            runFor(Duration.ofSeconds(11), copier);

            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(parked("a").awaits()).isNotNull();
            assertThat(recovered).isEmpty();
            unsupported.clear();
            assertThat(processAny(copier)).isTrue();
            assertThat(output()).containsExactly("a1", "a2");
        }
    }

    @Nested
    class EnqueuePolicies {

        private CopyingReplica replica(EnqueuePolicy policy) {
            return recoverer(queue(settings -> settings.enqueuePolicy(policy)));
        }

        @Test
        void cannotSkipARecoverableEvent() {
            CopyingReplica copier = replica((letter, cause) -> Decisions.doNotEnqueue());
            broken.add("a1");
            failing.add("b1"); // retryable, but the policy would skip it at once
            appendInput("a", "a1", "a2");
            appendInput("b", "b1");

            run(copier);

            assertThat(output("a")).containsExactly("~a1", "a2");
            assertThat(output("b")).containsExactly("~b1");
            assertThat(changes).isEmpty();
        }

        @Test
        void cannotEvictARecoverableLetter() {
            CopyingReplica copier =
                    replica((letter, cause) -> letter.cause() == null ? Decisions.enqueue(cause) : Decisions.evict());
            failing.add("a1");
            appendInput("a", "a1", "a2");

            runFor(Duration.ofSeconds(5), copier);

            assertThat(recovered).containsExactly("a1");
            assertThat(output()).containsExactly("~a1", "a2");
            assertThat(kinds()).contains(Kind.REPLAYED).doesNotContain(Kind.EVICTED);
        }

        @Test
        void cannotDropAnEventWhoseRecoveryFailed() {
            CopyingReplica copier = replica((letter, cause) -> Decisions.doNotEnqueue());
            broken.add("a1");
            unrecoverable.add("a1");
            appendInput("a", "a1", "a2");

            run(copier);
            assertThat(processAny(copier)).isFalse();

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
        }
    }
}
