package io.holdfast.resilience;

import static io.holdfast.resilience.ResilienceFixture.NAME;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.PermanentException;
import io.holdfast.fixture.ManualClock;
import io.holdfast.resilience.ResilienceFixture.Declined;
import io.holdfast.resilience.ResilienceFixture.Unreachable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AsyncOperationTests {

    private static final Duration FIRST_WAIT = RetrySettings.DEFAULT_WAIT_DURATION;

    private final ResilienceFixture bench = ResilienceFixture.steady();
    private final List<CompletableFuture<String>> startedCalls = new ArrayList<>();

    private CompletableFuture<String> startCall() {
        return bench.invoker.executeAsync(NAME, () -> {
            CompletableFuture<String> running = new CompletableFuture<>();
            startedCalls.add(running);
            return running;
        });
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return requireNonNull(
                catchThrowableOfType(CompletionException.class, future::join).getCause());
    }

    private int failedCalls() {
        return bench.breaker().getMetrics().getNumberOfFailedCalls();
    }

    @Test
    void completesWithValueOfFuture() {
        CompletableFuture<String> result = startCall();
        assertThat(result).isNotDone();

        startedCalls.get(0).complete("paid");

        assertThat(result).isCompletedWithValue("paid");
        assertThat(bench.breaker().getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(1);
    }

    @Test
    void retriesWhenFutureFailsLater() {
        CompletableFuture<String> result = startCall();
        assertThat(startedCalls).hasSize(1);

        startedCalls.get(0).completeExceptionally(new Unreachable());
        bench.timer.advance(FIRST_WAIT.minusMillis(1));
        assertThat(startedCalls).hasSize(1);
        bench.timer.advance(Duration.ofMillis(1));
        assertThat(startedCalls).hasSize(2);
        startedCalls.get(1).complete("paid");

        assertThat(result).isCompletedWithValue("paid");
        assertThat(failedCalls()).isZero();
    }

    @Test
    void countsCallWhenFutureCompletes() {
        var unused = startCall();

        assertThat(bench.breaker().getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void reportsNumberOfAttemptsWhenExhausted() {
        CompletableFuture<String> result = startCall();

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(startedCalls).hasSize(attempt + 1);
            startedCalls.get(attempt).completeExceptionally(new Unreachable());
            bench.timer.advance(Duration.ofMinutes(1));
        }

        assertThat(startedCalls).hasSize(3);
        assertThat(failureOf(result))
                .isInstanceOf(ResilienceException.class)
                .hasCauseInstanceOf(Unreachable.class)
                .hasMessageStartingWith("operation payment-processing failed after 3 attempts");
        assertThat(failedCalls()).isEqualTo(1);
        assertThat(bench.timer.waits()).containsExactly(FIRST_WAIT, FIRST_WAIT.multipliedBy(2));
    }

    @Test
    void opensBreakerWhenFuturesFail() {
        for (int call = 0; call < 5; call++) {
            var unused = startCall();
        }
        for (int attempt = 0; attempt < 15; attempt++) {
            startedCalls.get(attempt).completeExceptionally(new Unreachable());
            bench.timer.advance(Duration.ofSeconds(1));
        }

        CompletableFuture<String> rejected = startCall();

        assertThat(startedCalls).hasSize(15);
        assertThat(((ResilienceException) failureOf(rejected)).rejected()).isTrue();
    }

    @Test
    void retriesWhenOperationThrowsBeforeReturningFuture() {
        CompletableFuture<String> result = bench.invoker.executeAsync(NAME, () -> {
            if (++bench.calls == 1) {
                throw new Unreachable();
            }
            return CompletableFuture.completedFuture("paid");
        });

        bench.timer.advance(FIRST_WAIT);

        assertThat(result).isCompletedWithValue("paid");
    }

    @Test
    void failsWithUnchangedBusinessError() {
        Declined declined = new Declined();
        CompletableFuture<String> result = startCall();

        startedCalls.get(0).completeExceptionally(declined);

        assertThat(failureOf(result)).isSameAs(declined);
        assertThat(bench.timer.waits()).isEmpty();
        assertThat(bench.breaker().getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void unwrapsBusinessErrorFromCompletionException() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> result = bench.invoker.executeAsync(NAME, () -> source.thenApply(String::trim));

        source.completeExceptionally(new Declined());

        assertThat(failureOf(result)).isInstanceOf(Declined.class);
        assertThat(bench.timer.waits()).isEmpty();
    }

    @Test
    void rejectsNullInsteadOfFuture() {
        CompletableFuture<String> result = bench.invoker.executeAsync(NAME, AsyncOperationTests::nothing);

        assertThat(failureOf(result))
                .isInstanceOf(PermanentException.class)
                .hasMessage("an asynchronous operation returned null instead of a future");
    }

    @Test
    void stopsRetryingWhenCallerCancels() {
        CompletableFuture<String> result = startCall();
        startedCalls.get(0).completeExceptionally(new Unreachable());

        result.cancel(false);
        bench.timer.advance(Duration.ofMinutes(1));

        assertThat(startedCalls).hasSize(1);
        assertThat(bench.breaker().getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void countsTimeoutAsOneFailure() {
        CompletableFuture<String> result = startCall();

        result.completeExceptionally(new TimeoutException()); // as orTimeout does
        startedCalls.get(0).completeExceptionally(new Unreachable());
        bench.timer.advance(Duration.ofMinutes(1));

        assertThat(startedCalls).hasSize(1);
        assertThat(failedCalls()).isEqualTo(1);
    }

    @Test
    void ignoresLateSuccessAfterTimeout() {
        CompletableFuture<String> result = startCall();
        result.completeExceptionally(new TimeoutException());

        startedCalls.get(0).complete("paid");

        assertThat(failedCalls()).isEqualTo(1);
        assertThat(bench.breaker().getMetrics().getNumberOfSuccessfulCalls()).isZero();
    }

    @Test
    void failsWhenRetryCannotBeScheduled() {
        ResilientServiceInvoker closing = ResilientServiceInvoker.builder(
                        ResilienceSettings.DEFAULT, new SimpleMeterRegistry())
                .timer(new ClosedTimer())
                .build();

        CompletableFuture<String> result =
                closing.executeAsync(NAME, () -> CompletableFuture.failedFuture(new Unreachable()));

        assertThat(failureOf(result)).isInstanceOf(ResilienceException.class);
        assertThat(((ResilienceException) failureOf(result)).attempts()).isEqualTo(1);
    }

    @Test
    void completesEvenIfListenerThrows() {
        var unused = startCall();
        startedCalls.get(0).complete("paid");
        bench.breaker().getEventPublisher().onSuccess(event -> {
            throw new IllegalStateException("listener");
        });
        bench.invoker.retries().retry(NAME).getEventPublisher().onIgnoredError(event -> {
            throw new IllegalStateException("listener");
        });

        CompletableFuture<String> succeeding = startCall();
        startedCalls.get(1).complete("paid");
        CompletableFuture<String> failing = startCall();
        startedCalls.get(2).completeExceptionally(new Declined());

        assertThat(succeeding).isCompletedWithValue("paid");
        assertThat(failureOf(failing)).isInstanceOf(Declined.class);
    }

    /** One hundred operations wait concurrently, and the executor's only thread stays free. */
    @Test
    void blocksNoThreadWhileOperationsWait() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor();
        try {
            ResilientServiceInvoker real = ResilientServiceInvoker.builder(
                            ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.waitDuration(Duration.ofMinutes(10))),
                            new SimpleMeterRegistry())
                    .clock(new ManualClock())
                    .executor(only)
                    .build();
            AtomicInteger attempts = new AtomicInteger();
            List<CompletableFuture<String>> waiting = new ArrayList<>();

            only.submit(() -> {
                        for (int call = 0; call < 100; call++) {
                            waiting.add(real.executeAsync("call-" + call, () -> {
                                attempts.incrementAndGet();
                                return CompletableFuture.failedFuture(new CompletionException(new Unreachable()));
                            }));
                        }
                    })
                    .get(30, TimeUnit.SECONDS);

            assertThat(attempts).hasValue(100);
            assertThat(waiting).hasSize(100).noneMatch(CompletableFuture::isDone);
            assertThat(only.submit(() -> "free").get(30, TimeUnit.SECONDS)).isEqualTo("free");
        } finally {
            only.shutdown();
        }
    }

    @Test
    void retriesOnGivenExecutorInRealTime() throws Exception {
        ExecutorService only = Executors.newSingleThreadExecutor(task -> new Thread(task, "the-only"));
        try {
            ResilientServiceInvoker real = ResilientServiceInvoker.builder(
                            ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.waitDuration(Duration.ofMillis(1))),
                            new SimpleMeterRegistry())
                    .executor(only)
                    .build();
            List<CompletableFuture<String>> results = new ArrayList<>();
            for (int call = 0; call < 100; call++) {
                AtomicInteger attempts = new AtomicInteger();
                results.add(real.executeAsync(
                        "call-" + call,
                        () -> attempts.incrementAndGet() == 1
                                ? CompletableFuture.failedFuture(new Unreachable())
                                : CompletableFuture.completedFuture(
                                        Thread.currentThread().getName())));
            }

            for (CompletableFuture<String> result : results) {
                assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("the-only");
            }
        } finally {
            only.shutdown();
        }
    }

    @SuppressWarnings("NullAway") // simulates an operation that violates its contract
    private static CompletionStage<String> nothing() {
        return null;
    }

    private static final class ClosedTimer implements RetryTimer {

        @Override
        public boolean pause(Duration wait) {
            return false;
        }

        @Override
        public void schedule(Duration wait, Runnable task) {
            throw new RejectedExecutionException("closed");
        }
    }
}
