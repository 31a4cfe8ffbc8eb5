package io.holdfast.saga.orchestration;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.event.EventIds;
import io.holdfast.saga.orchestration.StepDefinition.CallAction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Makes the calls of one definition. Thread-safe. */
final class SagaCalls<D> {

    private final String sagaType;
    private final CallThreads threads;

    SagaCalls(String sagaType, CallThreads threads) {
        this.sagaType = sagaType;
        this.threads = threads;
    }

    /**
     * Makes a call.
     *
     * @param name names the call within its saga; its idempotency key is derived from it
     * @return the result; fails if the call takes longer than the timeout
     */
    CompletableFuture<@Nullable Object> call(
            CallAction<D> action, D data, String sagaId, String name, @Nullable Duration timeout) {
        SagaCallContext context = new SagaCallContext(sagaId, idempotencyKey(sagaId, name));
        CompletableFuture<@Nullable Object> result = action.blocking()
                ? threads.supply(() -> action.call().call(data, context))
                : stage(action, data, context, name);
        return timeout == null ? result : bounded(result, name, timeout);
    }

    private static <D> CompletableFuture<@Nullable Object> stage(
            CallAction<D> action, D data, SagaCallContext context, String name) {
        try {
            if (action.call().call(data, context) instanceof CompletionStage<?> future) {
                return future.<@Nullable Object>thenApply(value -> value).toCompletableFuture();
            }
            throw new PermanentException("the asynchronous call of step " + name + " returned no stage");
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The late result of a call that has timed out is ignored. */
    private static CompletableFuture<@Nullable Object> bounded(
            CompletableFuture<@Nullable Object> result, String name, Duration timeout) {
        return result.copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .handle((value, failure) -> {
                    if (failure instanceof TimeoutException) {
                        throw new RetryableException("the call of step " + name + " did not respond within " + timeout
                                + "; its outcome is unknown");
                    }
                    if (failure instanceof CompletionException wrapped) {
                        throw wrapped;
                    }
                    if (failure != null) {
                        throw new CompletionException(failure);
                    }
                    return value;
                });
    }

    private String idempotencyKey(String sagaId, String name) {
        return EventIds.ofCommand("saga/" + sagaType + "/" + name, sagaId).toString();
    }
}
