package io.holdfast.saga.orchestration;

import io.holdfast.commit.group.RowChange;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait for sagas to end. Commits of this replica notify them. For those of other replicas, one query
 * reads the index of all sagas that are awaited, a few times per second and only while there are any. Thread-safe.
 */
public final class SagaAwaits {

    /** A saga that ends on another replica is noticed within a quarter of a second, a slow query included. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(150);

    private static final Duration IDLE = Duration.ofMinutes(1);

    private final SagaStateStore sagas;
    private final Map<String, List<CompletableFuture<SagaState>>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable Worker worker;
    private volatile boolean idle = true;
    private volatile boolean lookNow;

    public SagaAwaits(SagaStateStore sagas) {
        this.sagas = sagas;
    }

    /**
     * Returns a future that completes when the saga has ended.
     *
     * @param mayHaveEnded whether to look it up at once; a saga that has just started is looked up with the others
     */
    CompletableFuture<SagaState> whenEnded(String sagaId, boolean mayHaveEnded) {
        CompletableFuture<SagaState> ended = new CompletableFuture<>();
        waiting.computeIfAbsent(sagaId, unknown -> new CopyOnWriteArrayList<>()).add(ended);
        CompletableFuture<SagaState> unused = ended.whenComplete((saga, failure) -> forget(sagaId, ended));
        if (mayHaveEnded) {
            lookNow = true;
        }
        Worker running = worker;
        if (running != null && (mayHaveEnded || idle)) {
            running.wake();
        }
        return ended;
    }

    /** Stops waiting on behalf of a caller. */
    void forget(String sagaId, CompletableFuture<SagaState> ended) {
        waiting.computeIfPresent(sagaId, (id, futures) -> {
            futures.removeIf(other -> other == ended);
            return futures.isEmpty() ? null : futures;
        });
    }

    /** Notifies the callers that wait for a saga, if it has ended. Called after the commit. */
    public void changed(RowChange<SagaState> change) {
        if (change.after() != null && change.after().status().isFinal()) {
            complete(change.after());
        }
    }

    private void complete(SagaState saga) {
        List<CompletableFuture<SagaState>> futures = waiting.getOrDefault(saga.sagaId(), List.of());
        futures.forEach(future -> future.completeAsync(() -> saga));
    }

    /** Starts to look for sagas that ended on other replicas. */
    public Worker start(String service) {
        Worker started = Worker.start("holdfast-saga-awaits-" + service, this::step);
        worker = started;
        return started;
    }

    /** @return the time until the next step */
    Duration step() {
        boolean wasIdle = idle;
        idle = true; // before the check, so that a caller that arrives after it wakes the worker
        if (waiting.isEmpty()) {
            return IDLE;
        }
        idle = false;
        if (wasIdle && !lookNow) {
            return POLL_INTERVAL; // most sagas end here, and earlier
        }
        lookNow = false;
        sagas.findEnded(List.copyOf(waiting.keySet())).forEach(saga -> complete(saga.state()));
        return POLL_INTERVAL;
    }
}
