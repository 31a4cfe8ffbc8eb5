package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetterChange.Kind;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.handling.Component;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Noted;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A recovery takes effect exactly once, and never in a loop: whatever fails, crashes, is full or is lost. */
public abstract class RecoveryFailuresKit extends RecoveryScenario {

    private static final Duration LEASE_EXPIRY = Duration.ofSeconds(11);

    static List<Moment> commitPoints() {
        return Moment.of(CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_TOKENS, CommitPoint.COMMIT);
    }

    static List<Moment> replayCommitPoints() {
        return Moment.of(
                CommitPoint.LOCK_HEAD,
                CommitPoint.WRITE_EVENTS,
                CommitPoint.WRITE_TOKENS,
                CommitPoint.WRITE_LETTERS,
                CommitPoint.COMMIT);
    }

    @Nested
    class FailedRecoveries {

        private void assertPending(String recoveryFailure) {
            assertThat(recovered).as("recovered once").containsExactly("a1");
            assertThat(output()).isEmpty();
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            Cause cause = Objects.requireNonNull(firstLetter("a").cause());
            assertThat(cause.type()).isEqualTo(IllegalStateException.class.getName());
            assertThat(cause.message()).startsWith(recoveryFailure).contains("Broken: broken a1");
        }

        @Test
        void makeTheEventPendingWithBothCauses() {
            CopyingReplica copier = recoverer();
            broken.add("a1");
            unrecoverable.add("a1");
            appendInput("a", "a1", "a2");

            run(copier);
            runFor(Duration.ofSeconds(10), copier);

            assertPending("no way to recover a1");
            assertThat(parked("a").attempts()).isEqualTo(1);
            assertThat(kinds()).containsOnlyOnce(Kind.PARKED, Kind.PENDING);
        }

        @Test
        void inADecisionMakeTheEventPendingWithBothCauses() {
            CopyingReplica copier = recoverer();
            broken.add("a1");
            rejected.add("a1");
            appendInput("a", "a1", "a2");

            run(copier);
            runFor(Duration.ofSeconds(10), copier);

            assertPending("rejected a1");
        }

        @Test
        void afterTheLastAttemptKeepTheNumberOfAttempts() {
            CopyingReplica copier = recoverer();
            failing.add("a1");
            rejected.add("a1");
            appendInput("a", "a1", "a2");

            runFor(Duration.ofSeconds(10), copier);

            assertThat(recovered).containsExactly("a1");
            assertThat(attempted).containsExactly("a1", "a1", "a1");
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(parked("a").attempts()).isEqualTo(3);
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        }

        @Test
        void withTheFailureItselfAreParkedToo() {
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, RecoveryFailuresKit.this::copy)
                    .recoverWith((context, failure) -> {
                        throw (Exception) failure;
                    })
                    .build()));

            park(copier, "a");

            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(Objects.requireNonNull(firstLetter("a").cause()).type()).isEqualTo(Broken.class.getName());
        }

        /** Otherwise the event would be recovered again and again while it waits. */
        @Test
        void awaitNoOtherVersion() {
            CopyingReplica copier = newReplica(builder -> builder.calls(Component.named(COPIES)
                    .on(Noted.class, RecoveryFailuresKit.this::copy)
                    .recoverWith((context, failure) -> {
                        recovered.add("a1");
                        throw new UnsupportedHereException("cannot read the history", "Upgrade.");
                    })
                    .build()));
            broken.add("a1");
            appendInput("a", "a1", "a2");

            runFor(Duration.ofMinutes(1), copier);

            assertThat(recovered).containsExactly("a1");
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(parked("a").awaits()).isNull();
        }

        @Test
        void doNotAffectTheEffectsOfOthers() {
            CopyingReplica copier = recoverer();
            broken.addAll(List.of("a1", "b1"));
            rejected.add("a1");
            appendInput("a", "a1");
            appendInput("b", "b1", "b2");
            appendInput("c", "c1");

            run(copier);

            assertThat(output()).containsExactlyInAnyOrder("~b1", "b2", "c1");
            assertThat(parkedTexts("a")).containsExactly("a1");
        }

        @Test
        void includeEffectsThatTheStoreRejects() {
            CopyingReplica copier = new CopyingReplica(
                    store(),
                    new FailingStore(store().commitStore()),
                    harness().clock(),
                    builder -> builder.calls(recovering().build()));
            broken.add("p1");
            appendInput(FailingStore.POISON, "p1", "p2");
            appendInput("a", "a1");

            run(copier);
            run(copier);

            assertThat(output()).containsExactly("a1");
            assertThat(recovered).containsExactly("p1");
            assertThat(parked(FailingStore.POISON).state()).isEqualTo(SequenceState.PENDING);
        }
    }

    @Nested
    class FullQueues {

        @Test
        void keepNoRecoveryFromRunning() {
            CopyingReplica copier = recoverer(
                    queue(settings -> settings.maxSequences(1).maxWaiting(1).maxSequenceSize(2)));
            broken.addAll(List.of("a1", "b1", "c1"));
            unrecoverable.addAll(List.of("a1", "b1"));
            appendInput("a", "a1");
            run(copier);
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);

            appendInput("b", "b1"); // no room
            appendInput("c", "c1", "c2");
            run(copier);

            assertThat(output("c")).containsExactly("~c1", "c2");
            assertThat(parked()).hasSize(1);
            unrecoverable.clear();
            runFor(Duration.ofMinutes(2), copier);
            assertThat(output("b")).containsExactly("~b1");
        }

        @Test
        void keepNoRetryingEventFromBeingRecovered() {
            CopyingReplica copier =
                    recoverer(queue(settings -> settings.maxSequences(1).maxWaiting(1)));
            broken.add("a1");
            unrecoverable.add("a1");
            failing.add("b1");
            appendInput("a", "a1");
            run(copier);
            appendInput("b", "b1", "b2");

            runFor(Duration.ofSeconds(10), copier);

            assertThat(output()).containsExactly("~b1", "b2");
            assertThat(parked()).hasSize(1);
        }
    }

    @Nested
    class OpenBreakers {

        private static final String PAYMENT = "payment";
        private static final Duration MAX_HOLD = Duration.ofMinutes(2);

        private final ResilienceSettings settings = CopyingReplica.RESILIENCE.maxHold(MAX_HOLD);
        private final BreakerProbes probes = new BreakerProbes(settings);

        private CopyingReplica guarded() {
            ResilientServiceInvoker breakers = ResilientServiceInvoker.builder(settings, new SimpleMeterRegistry())
                    .clock(harness().clock())
                    .onClosed(probes::onBreakerClosed)
                    .build();
            boolean unused = breakers.isClosed(PAYMENT); // creates it
            breakers.circuitBreakers().circuitBreaker(PAYMENT).transitionToForcedOpenState();
            return newReplica(builder -> builder.resilience(settings, breakers, probes)
                    .deadLetterListener(changes::add)
                    .calls(recovering().guardedBy(PAYMENT).build()));
        }

        private CopyingReplica held() {
            CopyingReplica copier = guarded();
            appendInput("a", "a1", "a2");
            run(copier);
            assertThat(parked("a").state()).isEqualTo(SequenceState.HELD);
            return copier;
        }

        @Test
        void holdTheEventUntilMaxHoldAndThenRecoverIt() {
            CopyingReplica copier = held();
            runFor(MAX_HOLD.minusSeconds(1), copier);
            assertThat(recovered).isEmpty();

            runFor(Duration.ofSeconds(2), copier);

            assertThat(attempted).as("the handler is not called").isEmpty();
            assertThat(recovered).containsExactly("a1");
            assertThat(output()).containsExactly("~a1");
            assertThat(parked("a").state()).as("the next event is HELD as long").isEqualTo(SequenceState.HELD);
            runFor(MAX_HOLD.plusSeconds(1), copier);
            assertThat(output()).containsExactly("~a1", "~a2");
            assertNothingParked();
            assertThat(kinds()).contains(Kind.REPLAYED).doesNotContain(Kind.PENDING);
        }

        @Test
        void makeTheEventPendingIfItsRecoveryFails() {
            CopyingReplica copier = held();
            unrecoverable.add("a1");

            runFor(MAX_HOLD.plusSeconds(1), copier);

            assertThat(recovered).containsExactly("a1");
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(parked("a").attempts()).isZero();
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        }
    }

    @Nested
    class Crashes {

        private void assertRecoveredOnce() {
            harness().crashPoints().clear();
            harness().passTime(LEASE_EXPIRY);
            run(recoverer());
            runFor(Duration.ofSeconds(5), recoverer());

            assertThat(output()).containsExactly("~a1", "a2");
            assertNothingParked();
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.deadletter.RecoveryFailuresKit#commitPoints")
        void ofTheFirstAttemptLeaveOneEffect(Moment moment) {
            CopyingReplica copier = recoverer();
            run(copier);
            broken.add("a1");
            appendInput("a", "a1", "a2");

            Crash.at(moment, harness(), () -> run(copier));

            assertRecoveredOnce();
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.deadletter.RecoveryFailuresKit#replayCommitPoints")
        void ofTheLastAttemptLeaveOneEffect(Moment moment) {
            CopyingReplica copier = recoverer();
            failing.add("a1");
            appendInput("a", "a1", "a2");
            run(copier);
            runFor(Duration.ofSeconds(1), copier);
            assertThat(parked("a").attempts()).isEqualTo(2);
            harness().passTime(Duration.ofSeconds(2));

            Crash.at(moment, harness(), () -> run(copier));

            assertRecoveredOnce();
        }
    }

    @Nested
    class LostLeases {

        @Test
        void letOnlyTheNextOwnerRecover() {
            CopyingReplica paused = recoverer();
            run(paused);
            broken.add("a1");
            appendInput("a", "a1", "a2");
            for (int i = 0; i < 5; i++) {
                paused.step(); // submits the recovery and does not commit it
            }
            assertThat(recovered).containsExactly("a1");
            harness().passTime(LEASE_EXPIRY);
            CopyingReplica next = new CopyingReplica(
                    replica(),
                    harness().clock(),
                    builder -> builder.calls(recovering().build()));
            run(next);
            assertThat(output()).containsExactly("~a1", "a2");

            paused.commit();
            run(paused, next);

            assertThat(recovered).containsExactly("a1", "a1");
            assertThat(output()).containsExactly("~a1", "a2");
            assertNothingParked();
        }
    }
}
