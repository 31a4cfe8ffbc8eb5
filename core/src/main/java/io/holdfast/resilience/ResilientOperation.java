package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.retry.Retry;
import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Circuit breaker and retry of one operation. Resilience4j decides whether and when to retry, and publishes metrics and
 * events. Holdfast does the waiting through {@link RetryTimer}, because Resilience4j's own retry calls
 * {@code Thread.sleep}.
 */
final class ResilientOperation {

    private static final Logger log = LoggerFactory.getLogger(ResilientOperation.class);

    private final String name;
    private final CircuitBreaker breaker;
    private final Retry retry;
    private final RetryTimer timer;

    ResilientOperation(CircuitBreaker breaker, Retry retry, RetryTimer timer) {
        this.name = breaker.getName();
        this.breaker = breaker;
        this.retry = retry;
        this.timer = timer;
    }

    <T extends @Nullable Object> T call(Supplier<T> operation) {
        BreakerCall call = admit();
        Retry.AsyncContext<T> attempts = retry.asyncContext();
        for (int attempt = 1; ; attempt++) {
            T value;
            try {
                value = rejectFuture(operation.get());
            } catch (Throwable failure) { // includes errors, or a half-open breaker would wait for the outcome forever
                long wait = waitAfter(attempts, failure);
                if (wait < 0 || !timer.pause(Duration.ofMillis(wait))) {
                    call.failed(failure);
                    throw sneakyThrow(translate(failure, attempt));
                }
                continue;
            }
            notifyListeners(attempts::onComplete);
            call.succeeded();
            return value;
        }
    }

    <T extends @Nullable Object> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> operation) {
        try {
            return new AsyncCall<>(this, admit(), retry.asyncContext(), timer, operation).start();
        } catch (ResilienceException rejected) {
            return CompletableFuture.failedFuture(rejected);
        }
    }

    /** Returns the exception for the caller: a non-retryable failure unchanged, any other as a ResilienceException. */
    Throwable translate(Throwable failure, int attempts) {
        return NonRetryableException.isRetryable(failure) ? new ResilienceException(name, attempts, failure) : failure;
    }

    /** Returns the delay until the next attempt, in milliseconds; negative if no attempt follows. */
    static long waitAfter(Retry.AsyncContext<?> attempts, Throwable failure) {
        long[] wait = {-1};
        notifyListeners(() -> wait[0] = attempts.onError(failure));
        return wait[0];
    }

    /** Runs listeners, which may be user code. One that throws must not change the outcome of the operation. */
    static void notifyListeners(Runnable listeners) {
        try {
            listeners.run();
        } catch (RuntimeException e) {
            log.error("A retry or circuit breaker listener failed; the operation is not affected", e);
        }
    }

    boolean isClosed() {
        return breaker.getState() == CircuitBreaker.State.CLOSED
                || breaker.getState() == CircuitBreaker.State.DISABLED
                || breaker.getState() == CircuitBreaker.State.METRICS_ONLY;
    }

    BreakerCall admit() {
        try {
            return new BreakerCall(breaker);
        } catch (CallNotPermittedException e) {
            throw new ResilienceException(name, 0, e);
        }
    }

    private <T extends @Nullable Object> T rejectFuture(T value) {
        if (value instanceof CompletionStage) {
            throw new PermanentException(
                    "operation " + name + " returned a future, whose failure would not be retried; use executeAsync");
        }
        return value;
    }

    /** Throws the failure unchanged, even if it is an undeclared checked exception. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneakyThrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
