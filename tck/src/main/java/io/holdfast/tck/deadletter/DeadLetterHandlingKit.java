package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.tck.harness.Lines;
import io.holdfast.tck.harness.Noted;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a handler receives on replay, the guards that apply to it, and automatic retries. */
public abstract class DeadLetterHandlingKit extends DeadLetterEngineKit {

    @Nested
    @Lines(19)
    class Letters {

        private final List<@Nullable DeadLetter> received = new ArrayList<>();

        /** A component whose method receives the letter. */
        final class LetterHandler {

            @EventHandler
            void on(Noted event, @Nullable DeadLetter letter, EventContext context) {
                received.add(letter);
                copy(event, context);
            }
        }

        @Test
        void arePassedToHandlerOnReplayOnly() {
            CopyingReplica copier = newReplica(builder ->
                    builder.calls(Component.of(COPIES, new LetterHandler()).build()));
            park(copier, "a");
            assertThat(received).hasSize(1).containsOnlyNulls();
            DeadLetter first = firstLetter("a");
            DeadLetter behind = letters("a").get(1);
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(received).containsExactly(null, first, behind);
            assertThat(first.cause()).isNotNull();
            assertThat(first.attempts()).hasSize(1);
        }
    }

    @Nested
    @Lines(20)
    class BreakersAndMetrics {

        private static final String PAYMENT = "payment";

        private final BreakerProbes probes = new BreakerProbes(CopyingReplica.RESILIENCE);
        private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        private final List<DeadLetter> decided = new ArrayList<>();

        private ResilientServiceInvoker breakers() {
            return ResilientServiceInvoker.builder(CopyingReplica.RESILIENCE, new SimpleMeterRegistry())
                    .clock(harness().clock())
                    .onClosed(probes::onBreakerClosed)
                    .build();
        }

        private CopyingReplica guarded(ResilientServiceInvoker breakers) {
            return newReplica(builder -> builder.resilience(CopyingReplica.RESILIENCE, breakers, probes)
                    .metrics(metrics)
                    .calls(Component.named(COPIES)
                            .on(Noted.class, (event, context) -> copy(event, context))
                            .guardedBy(PAYMENT)
                            .deadLetters(queue -> queue.enqueuePolicy((letter, cause) -> {
                                decided.add(letter);
                                return Decisions.enqueue(cause);
                            }))
                            .build()));
        }

        @Test
        void holdsReplayWhileBreakerIsOpen() {
            ResilientServiceInvoker breakers = breakers();
            CopyingReplica copier = guarded(breakers);
            park(copier, "a");
            broken.clear();
            decided.clear();
            boolean unused = breakers.isClosed(PAYMENT); // creates it
            breakers.circuitBreakers().circuitBreaker(PAYMENT).transitionToOpenState();

            assertThat(processAny(copier)).isFalse();

            assertThat(attempted).as("the handler is not called").isEmpty();
            assertThat(decided).as("the policy is not consulted").isEmpty();
            assertThat(parked("a").state()).isEqualTo(SequenceState.HELD);
            assertThat(firstLetter("a").attempts()).as("no attempt is spent").hasSize(1);
        }

        @Test
        @Lines(21)
        void resumesHeldSequenceWhenBreakerCloses() {
            ResilientServiceInvoker breakers = breakers();
            CopyingReplica copier = guarded(breakers);
            park(copier, "a");
            broken.clear();
            boolean unused = breakers.isClosed(PAYMENT); // creates it
            breakers.circuitBreakers().circuitBreaker(PAYMENT).transitionToOpenState();
            assertThat(processAny(copier)).isFalse();

            breakers.circuitBreakers().circuitBreaker(PAYMENT).transitionToClosedState();
            runFor(Duration.ofSeconds(5), copier);

            assertThat(output()).containsExactly("a1", "a2");
            assertThat(parked()).isEmpty();
        }

        @Test
        void countsReplays() {
            CopyingReplica copier = guarded(breakers());
            park(copier, "a");
            assertThat(counted("failed")).isEqualTo(1);
            assertThat(pending()).isEqualTo(2);
            assertThat(processAny(copier)).isFalse();
            assertThat(counted("failed")).isEqualTo(2);
            broken.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(counted("replayed")).isEqualTo(2);
            assertThat(counted("handled")).isZero();
            assertThat(pending()).isZero();
            assertThat(metrics.get("dlq.entries.replayed").counter().count()).isEqualTo(2);
        }

        private double counted(String outcome) {
            return metrics.get("processor.events")
                    .tag("outcome", outcome)
                    .counter()
                    .count();
        }

        private double pending() {
            return metrics.get("dlq.pending").gauge().value();
        }
    }

    @Nested
    @Lines(21)
    class AutomaticRetry {

        @Test
        void retriesUntilAttemptsAreExhausted() {
            CopyingReplica copier = copier();
            failing.add("a1");
            appendInput("a", "a1", "a2");
            run(copier);
            assertThat(parked("a").state()).isEqualTo(SequenceState.RETRYING);

            runFor(Duration.ofSeconds(5), copier);

            assertThat(attempted).containsExactly("a1", "a1", "a1");
            assertThat(parked("a").state()).isEqualTo(SequenceState.PENDING);
            assertThat(firstLetter("a").attempts()).hasSize(3);
        }

        @Test
        void leavesPendingSequenceToOperator() {
            CopyingReplica copier = copier();
            park(copier, "a");
            broken.clear();

            harness().passTime(Duration.ofHours(24));
            run(copier);
            runFor(Duration.ofSeconds(5), copier);

            assertThat(attempted).isEmpty();
            assertThat(copier.processor().status().parked()).isEqualTo(Map.of(SequenceState.PENDING, 1));
        }

        @Test
        void replaysSequenceOnRequestBeforeItIsDue() {
            CopyingReplica copier = copier();
            failing.add("a1");
            appendInput("a", "a1", "a2");
            run(copier);
            failing.clear();

            assertThat(processAny(copier)).isTrue();

            assertThat(output()).containsExactly("a1", "a2");
        }
    }
}
