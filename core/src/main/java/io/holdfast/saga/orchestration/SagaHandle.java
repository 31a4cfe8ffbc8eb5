package io.holdfast.saga.orchestration;

import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

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
        return awaits.whenEnded(id, duplicate);
    }

    /** Returns a future that completes when the saga has ended, or empty when this time is over. */
    public CompletableFuture<Optional<SagaState>> whenEnded(Duration atMost) {
        CompletableFuture<SagaState> ended = whenEnded();
        return ended.thenApply(Optional::of)
                .completeOnTimeout(Optional.empty(), atMost.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((saga, failure) -> awaits.forget(id, ended));
    }

    /**
     * Waits until the saga has ended. Blocks the calling thread, so do not call it in a handler or decision.
     *
     * @return empty if the saga is still running when the time is over
     */
    public Optional<SagaState> await(Duration time) {
        return whenEnded(time).join();
    }
}
