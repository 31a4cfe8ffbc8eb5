package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retryable failures are retried, at stored times. */
class RetryingTests extends ResilienceScenario {

    private static final RetryOverrides STEADY = RetryOverrides.NONE.jitter(0);

    /** Returns the time from the last attempt to the next, for each sequence. */
    private List<Long> backoffs() {
        return parked().stream()
                .map(sequence -> {
                    Instant last = store.deadLetterStore()
                            .findLetters(sequence.id(), sequence.first(), 1)
                            .get(0)
                            .lastTouched();
                    return Duration.between(last, Objects.requireNonNull(sequence.nextAttempt()))
                            .toMillis();
                })
                .toList();
    }

    private ParkedSequence onlySequence() {
        assertThat(parked()).hasSize(1);
        return parked().get(0);
    }

    @Test
    void doublesBackoffAfterEachFailureWithinTheJitter() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(4));
        appendForKeys("x", 200);
        failing.add("x");
        EventProcessor processor = copier(newProcess(), copying());

        run(processor);
        for (long wait : List.of(500L, 1000L, 2000L)) {
            assertThat(backoffs()).hasSize(200).allSatisfy(each -> assertThat(each)
                    .isBetween(wait * 8 / 10, wait * 12 / 10));
            assertThat(backoffs()).as("spread").anyMatch(each -> each < wait * 9 / 10);
            assertThat(backoffs()).as("spread").anyMatch(each -> each > wait * 11 / 10);
            advance(Duration.ofMillis(wait * 12 / 10), processor);
        }

        assertThat(states()).containsExactly(SequenceState.PENDING);
        assertThat(parked())
                .allSatisfy(sequence -> assertThat(sequence.attempts()).isEqualTo(4));
    }

    @Test
    void retriesAtTheStoredTimeAfterARestart() {
        settings = settings.retry(STEADY);
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor first = copier(newProcess(), copying());
        run(first);
        first.release();
        EventProcessor second = copier(newProcess(), copying());

        advance(Duration.ofMillis(499), second);
        assertThat(onlySequence().attempts()).isEqualTo(1);
        advance(Duration.ofMillis(1), second);

        assertThat(onlySequence().attempts()).isEqualTo(2);
        assertThat(onlySequence().nextAttempt()).isEqualTo(clock.instant().plusMillis(1000));
    }

    @Test
    void continuesCountingAttemptsOfACrashedReplica() {
        settings = settings.retry(STEADY.maxAttempts(4));
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor dies = copier(newProcess(), copying());
        run(dies);
        advance(Duration.ofMillis(500), dies);
        assertThat(onlySequence().attempts()).isEqualTo(2);
        EventProcessor other = copier(newProcess(), copying());

        runFor(Duration.ofSeconds(5), other);
        assertThat(onlySequence().attempts()).as("the lease has not expired").isEqualTo(2);
        runFor(Duration.ofSeconds(7), other);

        assertThat(onlySequence().attempts()).isGreaterThanOrEqualTo(3);
        runFor(Duration.ofSeconds(5), other);
        assertThat(onlySequence().state()).isEqualTo(SequenceState.PENDING);
        assertThat(letters("a").get(0).attempts()).hasSize(4);
    }

    @Test
    void appliesSettingsByComponentNameAndInheritsTheRest() {
        settings = settings.retry(STEADY.waitDuration(Duration.ofMillis(700)))
                .instance("copies", InstanceOverrides.NONE.retry(RetryOverrides.NONE.maxAttempts(2)));
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor processor = copier(newProcess(), copying());

        run(processor);
        assertThat(backoffs()).containsExactly(700L);
        advance(Duration.ofMillis(700), processor);

        assertThat(onlySequence().state()).isEqualTo(SequenceState.PENDING);
        assertThat(onlySequence().attempts()).isEqualTo(2);
    }

    @Test
    void appliesTheComponentsOwnSettingsUnlessItsInstanceOverridesThem() {
        settings = settings.retry(STEADY.waitDuration(Duration.ofMillis(700)).maxAttempts(5))
                .instance("copies", InstanceOverrides.NONE.retry(RetryOverrides.NONE.maxAttempts(2)));
        appendInput("a", "a1");
        failing.add("a1");
        Component own = Component.named("copies")
                .on(TextAdded.class, this::copy)
                .retry(RetryOverrides.NONE.maxAttempts(9).waitDuration(Duration.ofSeconds(40)))
                .build();
        EventProcessor first = copier(newProcess(), own);

        run(first);
        assertThat(backoffs()).as("its own").containsExactly(40_000L);
        first.release();
        EventProcessor restarted = copier(newProcess(), own);
        runFor(Duration.ofSeconds(39), restarted);
        assertThat(onlySequence().attempts())
                .as("a backoff of its own is not cut")
                .isEqualTo(1);
        advance(Duration.ofSeconds(1), restarted);

        assertThat(onlySequence().state()).as("two attempts, of its instance").isEqualTo(SequenceState.PENDING);
        assertThat(onlySequence().attempts()).isEqualTo(2);
    }

    @Test
    void appliesSettingsByNameOfTheGuardingBreaker() {
        settings = settings.retry(STEADY.maxAttempts(2))
                .instance(
                        PAYMENT, InstanceOverrides.NONE.retry(RetryOverrides.NONE.waitDuration(Duration.ofSeconds(2))))
                .instance("copies", InstanceOverrides.NONE.retry(RetryOverrides.NONE.maxAttempts(9)));
        appendInput("a", "a1");
        down.add(PAYMENT);
        EventProcessor processor = copier(newProcess(), guarded(PAYMENT));

        run(processor);
        assertThat(backoffs()).containsExactly(2000L);
        advance(Duration.ofSeconds(2), processor);

        assertThat(onlySequence().state()).as("two attempts, inherited").isEqualTo(SequenceState.PENDING);
    }

    @Test
    void keepsDelayConstantWithoutExponentialBackoff() {
        settings = settings.retry(STEADY.enableExponentialBackoff(false).maxAttempts(4));
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor processor = copier(newProcess(), copying());

        run(processor);
        for (int attempt = 1; attempt < 4; attempt++) {
            assertThat(onlySequence().attempts()).isEqualTo(attempt);
            assertThat(backoffs()).containsExactly(500L);
            advance(Duration.ofMillis(500), processor);
        }

        assertThat(onlySequence().state()).isEqualTo(SequenceState.PENDING);
    }

    @Test
    void becomesPendingImmediatelyWhenResilienceIsDisabled() {
        settings = settings.enabled(false);
        appendForKeys("x", 20);
        down.add(PAYMENT);
        EventProcessor processor = copier(newProcess(), guarded(PAYMENT));

        run(processor);

        assertThat(parked()).hasSize(20);
        assertThat(states()).containsExactly(SequenceState.PENDING);
        assertThat(calls).as("no breaker either").hasSize(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"declined", "declined later", "broken"})
    void neitherRetriesNorCountsNonRetryableFailures(String how) {
        appendForKeys("x", 20);
        Host process = newProcess();
        EventProcessor processor = copier(
                process,
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            calls.add(event.text());
                            switch (how) {
                                case "declined" -> throw new Declined();
                                case "declined later" -> throw new CompletionException(new Declined());
                                default -> throw new NoClassDefFoundError("a class of a library");
                            }
                        })
                        .guardedBy(PAYMENT)
                        .build());

        run(processor);
        runFor(Duration.ofSeconds(15), processor);

        assertThat(parked()).hasSize(20).allSatisfy(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(sequence.attempts()).isEqualTo(1);
        });
        assertThat(calls).hasSize(20);
        assertThat(process.breaker(PAYMENT).getState()).isEqualTo(CircuitBreaker.State.CLOSED);
        assertThat(process.breaker(PAYMENT).getMetrics().getNumberOfFailedCalls())
                .isZero();
    }

    @Test
    void countsOperationWithExhaustedRetriesAsOneAttempt() {
        appendInput("a", "a1");
        down.add(PAYMENT);
        Host process = newProcess();
        EventProcessor processor = copier(
                process,
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> process.invoker()
                                .executeRunnable(PAYMENT, () -> call(PAYMENT, event.text())))
                        .build());

        run(processor);

        assertThat(calls).as("by the operation").hasSize(3);
        assertThat(onlySequence().state()).isEqualTo(SequenceState.RETRYING);
        assertThat(onlySequence().attempts()).isEqualTo(1);
        assertThat(letters("a").get(0).attempts()).hasSize(1);
    }

    @Test
    void keepsNextAttemptWhenLetterIsParkedBehind() {
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor processor = copier(newProcess(), copying());
        run(processor);
        Instant next = Objects.requireNonNull(onlySequence().nextAttempt());
        clock.advance(Duration.ofMillis(300));

        appendInput("a", "a2", "a3");
        run(processor);

        assertThat(onlySequence().size()).isEqualTo(3);
        assertThat(onlySequence().nextAttempt()).isEqualTo(next);
        assertThat(onlySequence().attempts()).isEqualTo(1);
    }

    @Test
    void restartsCountingForTheNextLetter() {
        settings = settings.retry(STEADY);
        appendInput("a", "a1", "a2");
        failing.addAll(List.of("a1", "a2"));
        EventProcessor processor = copier(newProcess(), copying());
        run(processor);
        advance(Duration.ofMillis(500), processor);
        assertThat(onlySequence().attempts()).isEqualTo(2);
        failing.remove("a1");

        advance(Duration.ofSeconds(1), processor);

        assertThat(output("a")).containsExactly("a1");
        assertThat(onlySequence().state()).isEqualTo(SequenceState.RETRYING);
        assertThat(onlySequence().attempts()).isEqualTo(1);
        assertThat(backoffs()).containsExactly(500L);
    }

    private static final class Declined extends RuntimeException implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        Declined() {
            super("declined");
        }
    }
}
