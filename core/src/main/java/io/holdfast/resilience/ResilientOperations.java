package io.holdfast.resilience;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes operations with retry and a circuit breaker. All calls with the same name share one breaker and its
 * settings; names are independent of each other. Use constant names ({@code payment-processing}): a name that contains
 * an id would create one breaker per id.
 *
 * <p><b>Contract.</b> Retryable failures are retried with exponential backoff, up to the configured number of attempts.
 * Retry is inside the breaker: a call that succeeds on its second attempt counts as one success. While the breaker is
 * open, the operation is not called.
 *
 * <p><b>Failures.</b> A {@link io.holdfast.NonRetryableException} or {@link Error} is thrown unchanged, after one
 * attempt. Any other failure is thrown as {@link ResilienceException}: the attempts are exhausted, or the breaker is
 * open. An outer operation does not retry the {@code ResilienceException} of a nested one, so attempts do not multiply.
 *
 * <p><b>Thread safety.</b> Thread-safe.
 *
 * <p><b>Not guaranteed.</b> Execution is at-least-once: an attempt whose response was lost is repeated, so give calls
 * with effects an idempotency key. There is no timeout; configure one in the client.
 */
public interface ResilientOperations {

    /**
     * Executes an operation on the caller's thread, which also waits between attempts. An interrupted thread makes no
     * further attempt and stays interrupted.
     *
     * @throws io.holdfast.PermanentException if the operation returns a future, whose failure would go unnoticed
     */
    <T extends @Nullable Object> T execute(String name, Supplier<T> operation);

    /** As {@link #execute}, for an operation without a result. */
    void executeRunnable(String name, Runnable operation);

    /**
     * Executes an asynchronous operation. Its outcome is that of the future: a future that fails is retried, and the
     * breaker records the outcome when the call completes. The first attempt starts on the caller's thread. No thread
     * blocks between attempts.
     *
     * @return a future that completes with the outcome; this method itself never throws. Cancelling the future stops
     *     the attempts, and the breaker does not count the call. A timeout of the future also stops the attempts, and
     *     counts as a failure
     */
    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String name, Supplier<? extends CompletionStage<T>> operation);
}
