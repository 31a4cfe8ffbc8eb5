package io.holdfast.resilience;

import static io.holdfast.resilience.ResilienceFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.resilience.ResilienceFixture.Declined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitBreakerTests {

    private static final Duration OPEN = CircuitBreakerSettings.DEFAULT_WAIT_DURATION_IN_OPEN_STATE;

    private final ResilienceFixture bench = ResilienceFixture.withoutRetry(CircuitBreakerOverrides.NONE);

    private void open() {
        fail(5);
        assertThat(bench.state()).isEqualTo(State.OPEN);
    }

    /** Opens the breaker and waits until it admits trial calls. */
    private void openAndWait() {
        open();
        bench.clock.advance(OPEN.plusMillis(1));
    }

    private void fail(int times) {
        for (int call = 0; call < times; call++) {
            bench.fail();
        }
    }

    private void assertRejected() {
        int before = bench.calls;
        assertThatExceptionOfType(ResilienceException.class).isThrownBy(bench::succeed);
        assertThat(bench.calls).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void staysOpenForItsTimeIfTheClockIsSetMeanwhile(int hours) {
        open();

        bench.clock.setForward(Duration.ofHours(hours));

        assertRejected();
        bench.clock.advance(OPEN.plusMillis(1));
        bench.succeed();
        assertThat(bench.state()).isEqualTo(State.HALF_OPEN);
    }

    @Test
    void staysClosedBelowMinimumNumberOfCalls() {
        fail(4);

        assertThat(bench.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void opensAtMinimumNumberOfCalls() {
        fail(5);

        assertThat(bench.state()).isEqualTo(State.OPEN);
    }

    @Test
    void opensAtFailureRateThreshold() {
        for (int call = 0; call < 6; call++) {
            bench.succeed();
        }
        fail(4);
        assertThat(bench.state()).isEqualTo(State.CLOSED);

        bench.fail();

        assertThat(bench.state()).isEqualTo(State.OPEN);
    }

    @Test
    void ignoresCallsOutsideCountBasedWindow() {
        for (int call = 0; call < 100; call++) {
            bench.succeed();
        }

        fail(5);

        assertThat(bench.state()).isEqualTo(State.OPEN);
    }

    @Test
    void ignoresCallsOutsideTimeBasedWindow() {
        ResilienceFixture timed = ResilienceFixture.withoutRetry(
                CircuitBreakerOverrides.NONE.slidingWindow(SlidingWindowType.TIME_BASED, 10));
        for (int call = 0; call < 4; call++) {
            timed.fail();
        }

        timed.clock.advance(Duration.ofSeconds(11));
        timed.fail();

        assertThat(timed.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void countsOperationOnceRegardlessOfAttempts() {
        ResilienceFixture retrying = ResilienceFixture.steady();

        for (int call = 0; call < 4; call++) {
            retrying.fail();
        }

        assertThat(retrying.calls).isEqualTo(12);
        assertThat(retrying.state()).isEqualTo(State.CLOSED);
        assertThat(retrying.breaker().getMetrics().getNumberOfFailedCalls()).isEqualTo(4);
    }

    @Test
    void countsSuccessAfterRetriesAsSuccess() {
        ResilienceFixture retrying = ResilienceFixture.steady();

        retrying.invoker.execute(NAME, retrying.failing(2));

        assertThat(retrying.breaker().getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(1);
        assertThat(retrying.breaker().getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void rejectsCallsImmediatelyWhileOpen() {
        open();

        ResilienceException rejection = catchThrowableOfType(ResilienceException.class, bench::succeed);

        assertThat(bench.calls).isEqualTo(5);
        assertThat(rejection)
                .isInstanceOf(RetryableException.class)
                .hasCauseInstanceOf(CallNotPermittedException.class)
                .hasMessage(
                        "operation payment-processing was not called: its circuit breaker rejects calls after repeated"
                                + " failures; retry later");
        assertThat(rejection.operationName()).isEqualTo(NAME);
        assertThat(rejection.attempts()).isZero();
        assertThat(rejection.rejected()).isTrue();
        assertThat(bench.timer.waits()).isEmpty();
    }

    @Test
    void rejectsAsynchronousCallsThroughFuture() {
        open();

        CompletableFuture<String> rejected =
                bench.invoker.executeAsync(NAME, () -> CompletableFuture.completedFuture("paid"));

        assertThat(rejected)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(ResilienceException.class);
    }

    @Test
    void outerOperationDoesNotRetryRejectedNestedOne() {
        ResilienceFixture nested = ResilienceFixture.steady();
        nested.invoker.execute(NAME, () -> "paid");
        nested.breaker().transitionToOpenState();

        assertThatExceptionOfType(ResilienceException.class)
                .isThrownBy(() -> nested.invoker.execute("checkout", nested::succeed));

        assertThat(nested.timer.waits()).isEmpty();
    }

    @Test
    void staysOpenForWaitDuration() {
        open();

        bench.clock.advance(OPEN);

        assertRejected();
    }

    @Test
    void admitsPermittedNumberOfTrialCallsWhenHalfOpen() {
        openAndWait();
        List<CompletableFuture<String>> trialCalls = new ArrayList<>();

        for (int call = 0; call < 3; call++) {
            CompletableFuture<String> running = new CompletableFuture<>();
            trialCalls.add(running);
            var unused = bench.invoker.executeAsync(NAME, () -> running);
        }

        assertThat(bench.state()).isEqualTo(State.HALF_OPEN);
        assertRejected();
        trialCalls.forEach(running -> running.complete("paid"));
        assertThat(bench.state()).isEqualTo(State.CLOSED);
        assertThat(bench.succeed()).isEqualTo("paid");
    }

    @Test
    void completedTrialCallDoesNotFreeItsPermit() {
        openAndWait();
        assertThat(bench.invoker.executeAsync(NAME, () -> CompletableFuture.completedFuture("paid")))
                .isCompletedWithValue("paid");
        for (int call = 0; call < 2; call++) {
            var unused = bench.invoker.executeAsync(NAME, CompletableFuture<String>::new);
        }

        assertRejected();
    }

    @Test
    void reopensWhenTrialCallsFail() {
        openAndWait();

        fail(3);

        assertThat(bench.calls).isEqualTo(8);
        assertThat(bench.state()).isEqualTo(State.OPEN);
        assertRejected();
    }

    @Test
    void trialCallWithBusinessErrorFreesItsPermit() {
        openAndWait();

        for (int call = 0; call < 9; call++) {
            bench.fail(new Declined());
        }

        assertThat(bench.state()).isEqualTo(State.HALF_OPEN);
        for (int call = 0; call < 3; call++) {
            bench.succeed();
        }
        assertThat(bench.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void cancelledTrialCallFreesItsPermit() {
        openAndWait();

        for (int call = 0; call < 3; call++) {
            bench.invoker.executeAsync(NAME, CompletableFuture<String>::new).cancel(false);
        }

        for (int call = 0; call < 3; call++) {
            bench.succeed();
        }
        assertThat(bench.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void trialCallThatThrowsErrorCountsAsFailure() {
        openAndWait();

        for (int call = 0; call < 3; call++) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> bench.invoker.executeRunnable(NAME, () -> {
                        throw new AssertionError("broken");
                    }));
        }

        assertThat(bench.state()).isEqualTo(State.OPEN);
    }

    @Test
    void doesNotCountBusinessErrors() {
        for (int call = 0; call < 20; call++) {
            bench.fail(new Declined());
            bench.fail(new PermanentException("no such account"));
        }

        assertThat(bench.state()).isEqualTo(State.CLOSED);
        assertThat(bench.breaker().getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void countsBusinessErrorsWhenConfigured() {
        ResilienceFixture counting =
                ResilienceFixture.withoutRetry(CircuitBreakerOverrides.NONE.recordNonRetryable(true));

        for (int call = 0; call < 5; call++) {
            counting.fail(new Declined());
        }

        assertThat(counting.state()).isEqualTo(State.OPEN);
    }

    @Test
    void doesNotOpenOnSlowSuccessesByDefault() {
        for (int call = 0; call < 20; call++) {
            bench.invoker.executeRunnable(NAME, () -> bench.clock.advance(Duration.ofMinutes(5)));
        }

        assertThat(bench.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void opensOnSlowSuccessesWhenConfigured() {
        ResilienceFixture slow =
                ResilienceFixture.withoutRetry(CircuitBreakerOverrides.NONE.slowCalls(Duration.ofSeconds(2), 50));

        for (int call = 0; call < 5; call++) {
            boolean isSlow = call % 2 == 0;
            slow.invoker.executeRunnable(NAME, () -> slow.clock.advance(Duration.ofSeconds(isSlow ? 3 : 1)));
        }

        assertThat(slow.state()).isEqualTo(State.OPEN);
    }

    @Test
    void isIndependentOfOtherNames() {
        open();

        assertThat(bench.invoker.execute("payment-refund", () -> "refunded")).isEqualTo("refunded");
    }

    @Test
    void isIndependentOfOuterOperation() {
        for (int call = 0; call < 5; call++) {
            bench.invoker.executeRunnable("checkout", bench::fail);
        }

        assertThat(bench.state()).isEqualTo(State.OPEN);
        assertThat(bench.invoker.circuitBreakers().circuitBreaker("checkout").getState())
                .isEqualTo(State.CLOSED);
    }
}
