package io.holdfast.resilience;

import io.github.resilience4j.retry.Retry;
import io.holdfast.PermanentException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the attempts of one asynchronous call. Each starts after the previous one has completed and the backoff has
 * passed.
 */
final class AsyncCall<T extends @Nullable Object> {

    private final ResilientOperation operation;
    private final BreakerCall breaker;
    private final Retry.AsyncContext<T> attempts;
    private final RetryTimer timer;
    private final Supplier<? extends CompletionStage<T>> work;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    AsyncCall(
            ResilientOperation operation,
            BreakerCall breaker,
            Retry.AsyncContext<T> attempts,
            RetryTimer timer,
            Supplier<? extends CompletionStage<T>> work) {
        this.operation = operation;
        this.breaker = breaker;
        this.attempts = attempts;
        this.timer = timer;
        this.work = work;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // must return the future that the caller can cancel
    CompletableFuture<T> start() {
        result.whenComplete((value, failure) -> completedByCaller(failure));
        attempt(1);
        return result;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    private void attempt(int number) {
        if (result.isDone()) {
            return;
        }
        CompletionStage<T> running;
        try {
            running = invoke();
        } catch (Throwable failure) { // thrown before a future was returned
            failed(number, failure);
            return;
        }
        running.whenComplete((value, failure) -> {
            if (failure == null) {
                succeeded(value);
            } else {
                failed(number, unwrap(failure));
            }
        });
    }

    private CompletionStage<T> invoke() {
        CompletionStage<T> future = work.get();
        if (future == null) {
            throw new PermanentException("an asynchronous operation returned null instead of a future");
        }
        return future;
    }

    private void succeeded(T value) {
        ResilientOperation.notifyListeners(attempts::onComplete);
        breaker.succeeded();
        result.complete(value);
    }

    private void failed(int number, Throwable failure) {
        if (result.isDone()) {
            return;
        }
        long wait = ResilientOperation.waitAfter(attempts, failure);
        if (wait < 0 || !scheduleRetry(number + 1, wait, failure)) {
            breaker.failed(failure);
            result.completeExceptionally(operation.translate(failure, number));
        }
    }

    /** @return whether the retry was scheduled; false if the executor rejects it, as after its shutdown */
    private boolean scheduleRetry(int number, long wait, Throwable failure) {
        try {
            timer.schedule(Duration.ofMillis(wait), () -> attempt(number));
            return true;
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /**
     * Called on every completion, but has an effect only if the caller completed the result in order to give up. Only a
     * timeout then counts as a failure of the operation.
     */
    private void completedByCaller(@Nullable Throwable failure) {
        if (failure instanceof TimeoutException) {
            breaker.failed(failure);
        } else {
            breaker.abandoned();
        }
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
