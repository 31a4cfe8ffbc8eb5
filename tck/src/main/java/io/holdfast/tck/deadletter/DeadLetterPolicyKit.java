package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Lines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The enqueue policy decides what happens to a failed event. */
public abstract class DeadLetterPolicyKit extends DeadLetterEngineKit {

    /** The letters about which the policy was consulted. */
    private final List<DeadLetter> consultedFor = new ArrayList<>();
    /** The messages of the causes that were passed to the policy. */
    private final List<String> causes = new ArrayList<>();

    private final List<DeadLetterChange> changes = new ArrayList<>();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private BiFunction<DeadLetter, Throwable, EnqueueDecision> decide = (letter, cause) -> Decisions.enqueue(cause);

    private CopyingReplica replicaWithPolicy() {
        return copier(builder -> queue(it -> it.enqueuePolicy((letter, cause) -> {
                    consultedFor.add(letter);
                    causes.add(String.valueOf(cause.getMessage()));
                    return decide.apply(letter, cause);
                }))
                .apply(builder)
                .deadLetterListener(changes::add)
                .metrics(metrics));
    }

    private boolean isParked(DeadLetter letter) {
        return letter.cause() != null;
    }

    private List<DeadLetterChange.Kind> kinds() {
        return changes.stream().map(DeadLetterChange::kind).toList();
    }

    @Nested
    @Lines(22)
    class Consulting {

        @Test
        void happensOncePerFailure() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            assertThat(consultedFor).singleElement().satisfies(letter -> {
                assertThat(letter.cause()).isNull();
                assertThat(letter.message().key()).isEqualTo("a");
            });
            DeadLetter parked = firstLetter("a");

            assertThat(processAny(copier)).isFalse();

            assertThat(consultedFor).hasSize(2).endsWith(parked);
            assertThat(causes).containsExactly("broken a1", "broken a1");
        }

        @Test
        void happensOnEveryAutomaticRetry() {
            CopyingReplica copier = replicaWithPolicy();
            failing.add("a1");
            appendInput("a", "a1");

            runFor(Duration.ofSeconds(5), copier);

            assertThat(attempted).hasSize(3);
            assertThat(consultedFor).hasSize(3);
        }

        @Test
        void isSkippedForLettersParkedBehind() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            appendInput("a", "a3", "a4");
            run(copier);

            assertThat(consultedFor).hasSize(1);
            assertThat(parkedTexts("a")).hasSize(4);
        }

        @Test
        void isNotRepeatedWhenCommitIsRetried() {
            FailingStore store = new FailingStore(store().commitStore());
            CopyingReplica copier = new CopyingReplica(
                    store(), store, harness().clock(), builder -> queue(it -> it.enqueuePolicy((letter, cause) -> {
                                consultedFor.add(letter);
                                return Decisions.enqueue(cause);
                            }))
                            .apply(builder.calls(copying())));
            run(copier);
            broken.add("a1");
            appendInput("a", "a1");
            store.failCommits(2);

            runFor(Duration.ofSeconds(5), copier);

            assertThat(parkedTexts("a")).containsExactly("a1");
            assertThat(consultedFor).hasSameSizeAs(attempted);
        }
    }

    @Nested
    @Lines(23)
    class Skipping {

        @Test
        void skipsEventAndHandlesLaterOnes() {
            CopyingReplica copier = replicaWithPolicy();
            decide = (letter, cause) -> Decisions.doNotEnqueue();
            broken.add("a1");
            appendInput("a", "a1", "a2");
            run(copier);
            appendInput("a", "a3");
            run(copier);

            assertThat(output()).containsExactly("a2", "a3");
            assertThat(parked()).isEmpty();
            assertThat(kinds()).containsExactly(DeadLetterChange.Kind.SKIPPED);
            assertThat(metrics.get("processor.events")
                            .tag("outcome", "skipped")
                            .counter()
                            .count())
                    .isEqualTo(1);
        }

        @Test
        void discardsEffectsOfSkippedEvent() {
            CopyingReplica copier = replicaWithPolicy();
            decide = (letter, cause) -> Decisions.doNotEnqueue();
            broken.add("a1");
            appendInput("a", "a1");
            run(copier);

            CopyingReplica restarted = replicaWithPolicy();
            copier.processor().release();
            run(restarted);

            assertThat(attempted).as("the event is not handled again").containsExactly("a1");
            assertThat(output()).isEmpty();
        }
    }

    @Nested
    @Lines(24)
    class Requeuing {

        @Test
        void keepsLetterFirstAndPassesItsDiagnosticsToNextDecision() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            decide = (letter, cause) -> Decisions.requeue(
                    new IllegalStateException("seen " + seenCount(letter)),
                    before -> Map.of("seen", Integer.toString(seenCount(before) + 1)));
            harness().passTime(Duration.ofSeconds(1));

            assertThat(processAny(copier)).isFalse();
            assertThat(processAny(copier)).isFalse();

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(firstLetter("a").diagnostics()).isEqualTo(Map.of("seen", "2"));
            assertThat(Objects.requireNonNull(firstLetter("a").cause()).message())
                    .isEqualTo("seen 1");
            assertThat(firstLetter("a").lastTouched()).isEqualTo(now());
            assertThat(consultedFor)
                    .extracting(DeadLetter::diagnostics)
                    .containsExactly(Map.of(), Map.of(), Map.of("seen", "1"));
        }

        private int seenCount(DeadLetter letter) {
            return Integer.parseInt(letter.diagnostics().getOrDefault("seen", "0"));
        }
    }

    @Nested
    @Lines(25)
    class Ignoring {

        @Test
        void keepsLetterUnchangedAndMovesItsSequenceBack() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            List<DeadLetter> before = letters("a");
            ParkedSequence sequence = parked("a");
            decide = (letter, cause) -> Decisions.ignore();
            harness().passTime(Duration.ofSeconds(7));

            assertThat(processAny(copier)).isFalse();

            assertThat(letters("a")).isEqualTo(before);
            assertThat(parked("a").nextAttempt()).isEqualTo(now()).isAfter(sequence.nextAttempt());
            assertThat(parked("a").since()).isEqualTo(sequence.since());
        }

        @Test
        void parksUnparkedEventWithItsCause() {
            CopyingReplica copier = replicaWithPolicy();
            decide = (letter, cause) -> Decisions.ignore();
            park(copier, "a");

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(Objects.requireNonNull(firstLetter("a").cause()).message())
                    .isEqualTo("broken a1");
        }
    }

    @Nested
    @Lines(26)
    class Evicting {

        @Test
        void removesLetterPermanentlyAndContinues() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            decide = (letter, cause) -> isParked(letter) ? Decisions.evict() : Decisions.enqueue(cause);
            changes.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(parked()).isEmpty();
            assertThat(output()).containsExactly("a2");
            assertThat(kinds()).contains(DeadLetterChange.Kind.EVICTED);
            assertThat(metrics.get("dlq.entries.discarded").counter().count()).isEqualTo(1);
        }

        @Test
        void countsAsDrained() {
            CopyingReplica copier = replicaWithPolicy();
            broken.add("a1");
            appendInput("a", "a1");
            run(copier);
            decide = (letter, cause) -> Decisions.evict();

            assertThat(processAny(copier)).isTrue();
            appendInput("a", "a2");
            run(copier);

            assertThat(parked()).isEmpty();
            assertThat(output()).containsExactly("a2");
        }
    }

    @Nested
    class ChangeNotifications {

        private List<UUID> removed(DeadLetterChange.Kind kind) {
            return changes.stream()
                    .filter(change -> change.kind() == kind)
                    .flatMap(change -> change.removedEvents().stream())
                    .toList();
        }

        private List<UUID> events(String key) {
            return letters(key).stream().map(letter -> letter.message().id()).toList();
        }

        @Test
        void listReplayedEvents() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            List<UUID> events = events("a");
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(removed(DeadLetterChange.Kind.REPLAYED)).isEqualTo(events);
        }

        @Test
        void listEventEvictedByPolicy() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            List<UUID> events = events("a");
            decide = (letter, cause) -> isParked(letter) ? Decisions.evict() : Decisions.enqueue(cause);

            assertThat(processAny(copier)).isTrue();

            assertThat(removed(DeadLetterChange.Kind.EVICTED)).containsExactly(events.get(0));
            assertThat(removed(DeadLetterChange.Kind.REPLAYED)).containsExactly(events.get(1));
        }

        @Test
        void listEventEvictedFromQueue() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            List<UUID> events = events("a");

            assertThat(copier.queue().evict(letters("a").get(1))).isTrue();

            assertThat(removed(DeadLetterChange.Kind.EVICTED)).containsExactly(events.get(1));
        }

        @Test
        void listNoEventThatStaysParked() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");

            assertThat(processAny(copier)).isFalse();

            assertThat(changes).isNotEmpty().allSatisfy(change -> assertThat(change.removedEvents())
                    .isEmpty());
        }
    }

    @Nested
    @Lines(27)
    class Throwing {

        @Test
        void parksWithBothCauses() {
            CopyingReplica copier = replicaWithPolicy();
            decide = (letter, cause) -> {
                throw new IllegalArgumentException("no rule");
            };
            park(copier, "a");

            assertBothCauses();
            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        }

        @Test
        void keepsLetterWhenPolicyThrowsDuringReplay() {
            CopyingReplica copier = replicaWithPolicy();
            park(copier, "a");
            decide = (letter, cause) -> {
                throw new StackOverflowError("policy");
            };

            assertThat(processAny(copier)).isFalse();

            assertThat(parkedTexts("a")).containsExactly("a1", "a2");
            assertThat(Objects.requireNonNull(firstLetter("a").cause()).message())
                    .contains("broken a1", "StackOverflowError");
        }

        private void assertBothCauses() {
            Cause cause = Objects.requireNonNull(firstLetter("a").cause());
            assertThat(cause.type()).isEqualTo(Broken.class.getName());
            assertThat(cause.message())
                    .isEqualTo("broken a1 (and its enqueue policy threw java.lang.IllegalArgumentException: no rule)");
            assertThat(cause.stackTrace()).contains("its enqueue policy threw java.lang.IllegalArgumentException");
        }

        @Test
        void enqueuesEverythingByDefault() {
            CopyingReplica copier = copier();
            broken.add("a1");
            failing.add("b1");
            appendInput("a", "a1");
            appendInput("b", "b1");
            run(copier);

            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(parked("b").state()).isEqualTo(SequenceState.RETRYING);
            runFor(Duration.ofSeconds(5), copier);
            assertThat(parked("b").state()).isEqualTo(SequenceState.PENDING);
            assertThat(attempted).containsExactlyInAnyOrder("a1", "b1", "b1", "b1");
        }
    }
}
