package io.holdfast.resilience;

import static io.holdfast.resilience.ResilienceFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.resilience.ResilienceFixture.Declined;
import io.holdfast.resilience.ResilienceFixture.Unreachable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryTests {

    private final ResilienceFixture bench = ResilienceFixture.steady();

    @Test
    void returnsResultOfFirstAttempt() {
        assertThat(bench.invoker.execute(NAME, bench.failing(0))).isEqualTo("paid");

        assertThat(bench.calls).isEqualTo(1);
        assertThat(bench.timer.waits()).isEmpty();
    }

    @Test
    void returnsResultOfLastAttempt() {
        assertThat(bench.invoker.execute(NAME, bench.failing(2))).isEqualTo("paid");

        assertThat(bench.calls).isEqualTo(3);
    }

    @Test
    void reportsNumberOfAttemptsWhenExhausted() {
        ResilienceException failure =
                catchThrowableOfType(ResilienceException.class, () -> bench.invoker.execute(NAME, bench.failing(9)));

        assertThat(bench.calls).isEqualTo(3);
        assertThat(failure)
                .isInstanceOf(RetryableException.class)
                .hasCauseInstanceOf(Unreachable.class)
                .hasMessage("operation payment-processing failed after 3 attempts, last with "
                        + Unreachable.class.getName() + "; see the cause and retry later");
        assertThat(failure.operationName()).isEqualTo(NAME);
        assertThat(failure.attempts()).isEqualTo(3);
        assertThat(failure.rejected()).isFalse();
    }

    @Test
    void usesSingularForOneAttempt() {
        ResilienceFixture single = ResilienceFixture.withoutRetry(CircuitBreakerOverrides.NONE);

        assertThatThrownBy(() -> single.invoker.execute(NAME, single.failing(9)))
                .hasMessageStartingWith("operation payment-processing failed after 1 attempt, last with ");
    }

    @Test
    void doublesBackoffAfterEachFailure() {
        ResilienceFixture fixture = new ResilienceFixture(
                ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0).maxAttempts(5)));

        fixture.invoker.execute(NAME, fixture.failing(4));

        assertThat(fixture.timer.waits())
                .containsExactly(
                        Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void usesConstantDelayWithoutBackoff() {
        ResilienceFixture even = new ResilienceFixture(ResilienceSettings.DEFAULT.retry(
                RetryOverrides.NONE.jitter(0).maxAttempts(4).enableExponentialBackoff(false)));

        even.invoker.execute(NAME, even.failing(3));

        assertThat(even.timer.waits())
                .containsExactly(Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(500));
    }

    @Test
    void capsBackoffAtOneHour() {
        ResilienceFixture steep = new ResilienceFixture(ResilienceSettings.DEFAULT.retry(
                RetryOverrides.NONE.jitter(0).maxAttempts(400).exponentialBackoffMultiplier(1000)));

        steep.invoker.execute(NAME, steep.failing(399));

        assertThat(steep.timer.waits()).hasSize(399).endsWith(RetrySettings.MAX_WAIT_DURATION);
    }

    @Test
    void spreadsDelaysByJitter() {
        ResilienceFixture spread = new ResilienceFixture(ResilienceSettings.DEFAULT.retry(
                RetryOverrides.NONE.maxAttempts(300).enableExponentialBackoff(false)));

        spread.invoker.execute(NAME, spread.failing(299));

        List<Long> waits = spread.timer.waits().stream().map(Duration::toMillis).toList();
        assertThat(waits).allMatch(wait -> wait >= 400 && wait <= 600);
        assertThat(waits).anyMatch(wait -> wait < 450).anyMatch(wait -> wait > 550);
    }

    @Test
    void throwsBusinessErrorUnchangedAfterOneAttempt() {
        Declined declined = new Declined();

        assertThatThrownBy(() -> bench.invoker.executeRunnable(NAME, () -> {
                    bench.calls++;
                    throw declined;
                }))
                .isSameAs(declined);

        assertThat(bench.calls).isEqualTo(1);
    }

    @Test
    void throwsPermanentExceptionUnchangedAfterOneAttempt() {
        PermanentException permanent = new PermanentException("no such account");

        assertThatThrownBy(() -> bench.invoker.executeRunnable(NAME, () -> {
                    bench.calls++;
                    throw permanent;
                }))
                .isSameAs(permanent);

        assertThat(bench.calls).isEqualTo(1);
    }

    @Test
    void throwsBusinessErrorOfLaterAttemptUnchanged() {
        assertThatExceptionOfType(Declined.class)
                .isThrownBy(() -> bench.invoker.execute(NAME, () -> {
                    if (++bench.calls == 1) {
                        throw new Unreachable();
                    }
                    throw new Declined();
                }));

        assertThat(bench.calls).isEqualTo(2);
    }

    @Test
    void throwsErrorUnchanged() {
        AssertionError error = new AssertionError("broken");

        assertThatThrownBy(() -> bench.invoker.executeRunnable(NAME, () -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void retriesUndeclaredCheckedExceptions() {
        assertThatExceptionOfType(ResilienceException.class)
                .isThrownBy(() -> bench.invoker.executeRunnable(NAME, () -> {
                    bench.calls++;
                    throwUndeclared(new IOException("reset"));
                }))
                .withCauseInstanceOf(IOException.class);

        assertThat(bench.calls).isEqualTo(3);
    }

    @Test
    void doesNotRetryExhaustedNestedOperation() {
        ResilienceException outer = catchThrowableOfType(
                ResilienceException.class,
                () -> bench.invoker.execute("checkout", () -> bench.invoker.execute(NAME, bench.failing(99))));

        assertThat(bench.calls).isEqualTo(3);
        assertThat(outer.operationName()).isEqualTo("checkout");
        assertThat(outer.attempts()).isEqualTo(1);
        assertThat(outer).hasCauseInstanceOf(ResilienceException.class);
    }

    @Test
    void rejectsOperationThatReturnsFuture() {
        assertThatThrownBy(() -> bench.invoker.execute(NAME, () -> new CompletableFuture<String>()))
                .isInstanceOf(PermanentException.class)
                .hasMessage("operation payment-processing returned a future, whose failure would not be retried;"
                        + " use executeAsync");
    }

    @Test
    void doesNotRetryOnInterruptedThread() {
        ResilientServiceInvoker real =
                ResilientServiceInvoker.of(ResilienceSettings.DEFAULT, new SimpleMeterRegistry());
        Thread.currentThread().interrupt();
        try {
            ResilienceException failure =
                    catchThrowableOfType(ResilienceException.class, () -> real.execute(NAME, bench.failing(9)));

            assertThat(failure.attempts()).isEqualTo(1);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void waitsInRealTimeByDefault() {
        ResilientServiceInvoker real = ResilientServiceInvoker.of(
                ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0).waitDuration(Duration.ofMillis(20))),
                new SimpleMeterRegistry());
        long start = System.nanoTime();

        real.execute(NAME, bench.failing(1));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
    }

    @Test
    void toleratesListenerThatThrows() {
        AtomicInteger notified = new AtomicInteger();
        bench.invoker.execute(NAME, bench.failing(0));
        bench.invoker.retries().retry(NAME).getEventPublisher().onSuccess(event -> {
            notified.incrementAndGet();
            throw new IllegalStateException("listener");
        });
        bench.breaker().getEventPublisher().onSuccess(event -> {
            notified.incrementAndGet();
            throw new IllegalStateException("listener");
        });
        bench.calls = 0;

        assertThat(bench.invoker.execute(NAME, bench.failing(1))).isEqualTo("paid");

        assertThat(bench.calls).isEqualTo(2);
        assertThat(notified).hasValue(2);
    }

    @Test
    void callsOperationDirectlyWhenDisabled() {
        ResilienceFixture disabled = new ResilienceFixture(ResilienceSettings.DEFAULT.enabled(false));

        assertThatExceptionOfType(Unreachable.class)
                .isThrownBy(() -> disabled.invoker.execute(NAME, disabled.failing(99)));
        for (int call = 0; call < 20; call++) {
            disabled.fail();
        }

        assertThat(disabled.calls).isEqualTo(21);
        assertThat(disabled.invoker.circuitBreakers().getAllCircuitBreakers()).isEmpty();
        assertThat(disabled.invoker.executeAsync(NAME, () -> CompletableFuture.completedFuture("paid")))
                .isCompletedWithValue("paid");
        assertThat(disabled.invoker.executeAsync(NAME, () -> {
                    throw new Unreachable();
                }))
                .isCompletedExceptionally();
    }

    @Test
    void rejectsBlankName() {
        assertThatThrownBy(() -> bench.invoker.execute(" ", () -> "paid"))
                .hasMessage("name of operation must not be blank");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void throwUndeclared(Throwable failure) throws E {
        throw (E) failure;
    }
}
