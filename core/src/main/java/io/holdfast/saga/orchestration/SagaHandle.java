package io.holdfast.saga.orchestration;

import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A saga that was started. Its row is committed. Thread-safe. */
public final class SagaHandle {

    private final String id;
    private final boolean duplicate;
    private final SagaAwaits awaits;

    SagaHandle(String id, boolean duplicate, SagaAwaits awaits) {
        this.id = id;
        this.duplicate = duplicate;
        this.awaits = awaits;
    }

    public String id() {
        return id;
    }

    /** Returns whether an earlier request with the same key has started the saga. */
    public boolean isDuplicate() {
        return duplicate;
    }

    /**
     * Returns a future that completes when the saga has ended, on whichever replica: usually within milliseconds on this
     * one, and within a quarter of a second on another. It never completes if the service is closed. Cancel it if the
     * result is no longer wanted.
     */
    public CompletableFuture<SagaState> whenEnded() {
        return awaits.whenEnded(id);
    }

    /**
     * Waits until the saga has ended. Blocks the calling thread, so do not call it in a handler or decision.
     *
     * @return empty if the saga is still running when the time is over
     * @throws io.holdfast.RetryableException if the thread was interrupted
     */
    public Optional<SagaState> await(Duration time) {
        CompletableFuture<SagaState> ended = whenEnded();
        try {
            return Optional.of(ended.get(time.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for saga " + id + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new io.holdfast.RetryableException("the thread was interrupted while waiting for saga " + id, e);
        } finally {
            ended.cancel(false);
        }
    }
}
