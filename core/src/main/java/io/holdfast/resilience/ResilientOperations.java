package io.holdfast.resilience;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out operations with retry and a circuit breaker. All calls with one name share a breaker and settings; names
 * are independent of each other. A name is fixed in the code ({@code payment-processing}): an id in it would make a
 * breaker for every id.
 *
 * <p><b>Duty.</b> A failure that is worth it is tried again after a growing wait, as often as the settings say. The
 * breaker sees the outcome of the whole, so what succeeds at the second attempt is a success. While it is open the
 * operation is not called.
 *
 * <p><b>Failures.</b> A {@link io.holdfast.NonRetryableException} and an {@link Error} come out as themselves, after one
 * attempt. Everything else comes out as {@link ResilienceException}: the attempts are used up, or the breaker is open.
 * That of an operation within an operation is not tried again by the outer one, so attempts do not multiply.
 *
 * <p><b>Thread-safety.</b> Any number of threads.
 *
 * <p><b>Not promised.</b> Once: an attempt whose answer was lost is repeated. Give calls that have effects an
 * idempotency key. No time limit is set either; a client has its own.
 */
public interface ResilientOperations {

    /**
     * Carries out an operation on the caller's thread, which also waits between attempts. An interrupted thread makes no
     * further attempt and stays interrupted.
     *
     * @throws io.holdfast.PermanentException if the operation gives a future, whose failure would not be seen
     */
    <T extends @Nullable Object> T execute(String name, Supplier<T> operation);

    /** The same for an operation without a result. */
    void executeRunnable(String name, Runnable operation);

    /**
     * Carries out an operation whose outcome is that of its future: a future that fails later is tried again, and the
     * breaker is told when it completes. No thread waits between attempts. The first is made on the caller's thread.
     *
     * @return completes with the outcome; nothing is thrown here. Who cancels it ends the attempts, and the breaker
     *     does not count the call; who lets it time out ends them too, and that counts as a failure
     */
    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String name, Supplier<? extends CompletionStage<T>> operation);
}
