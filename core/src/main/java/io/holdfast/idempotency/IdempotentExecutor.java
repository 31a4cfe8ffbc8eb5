package io.holdfast.idempotency;

import io.holdfast.PermanentException;
import io.holdfast.worker.Worker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work idempotently: claims it, renews the lease while it runs, and marks it as done. Works with any
 * {@link IdempotencyGuard}.
 *
 * <p><b>Contract.</b> Of several calls with the same consumer and work, one runs the work. If the work fails, its claim
 * is released and the next call runs it. If the process crashes, the next call runs it after the lease has expired.
 * Completed work is not run again until the ttl has passed.
 *
 * <p><b>Thread safety.</b> Thread-safe. Work runs on the caller's thread; a separate thread renews the leases.
 *
 * <p><b>Not guaranteed.</b> Exactly-once execution, as for the guard. Work runs again if the process crashes, or the
 * store is unreachable, after the work and before it is marked as done.
 */
public final class IdempotentExecutor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IdempotentExecutor.class);
    /** Renewals per lease period, so that one may fail without losing the lease. */
    private static final int RENEWALS_PER_LEASE = 3;

    private final IdempotencyGuard guard;
    private final IdempotencySettings settings;
    private final Counter hits;
    private final Counter misses;
    private final Set<IdempotencyClaim> running = ConcurrentHashMap.newKeySet();
    private @Nullable Worker worker;

    /** Creates an executor without a renewal thread. The caller must invoke {@link #step} periodically. */
    public IdempotentExecutor(IdempotencyGuard guard, IdempotencySettings settings, MeterRegistry meters) {
        this.guard = guard;
        this.settings = settings;
        this.hits = counter("hit", meters);
        this.misses = counter("miss", meters);
    }

    /** Creates an executor with a thread that renews leases until {@link #close}. */
    public static IdempotentExecutor start(IdempotencyGuard guard, IdempotencySettings settings, MeterRegistry meters) {
        IdempotentExecutor started = new IdempotentExecutor(guard, settings, meters);
        started.worker = Worker.start("holdfast-idempotency", started::step);
        return started;
    }

    /**
     * Runs the task unless the work is already done or in progress.
     *
     * @param consumer the consumer's name; each consumer of an event runs the work once
     * @param work identifies the work across redeliveries, such as the event's id
     * @throws RuntimeException the task's exception, unchanged; the claim is released, so the work can be retried
     *     immediately. Also the guard's exception: if thrown by the claim, the task did not run; if thrown afterwards,
     *     the task did run and may run again after the lease has expired
     * @throws PermanentException if the task returns a future, because its completion cannot be tracked
     */
    public <T extends @Nullable Object> ProcessResult<T> tryProcess(String consumer, String work, Supplier<T> task) {
        if (!settings.enabled()) {
            return new ProcessResult.Ran<>(task.get(), false);
        }
        ClaimResult result = guard.claim(new IdempotencyKey(consumer, work), settings.lease());
        if (result instanceof ClaimResult.Claimed claimed) {
            misses.increment();
            return run(claimed.claim(), task);
        }
        hits.increment();
        return result instanceof ClaimResult.Done
                ? new ProcessResult.AlreadyDone<>()
                : new ProcessResult.InProgress<>();
    }

    /** As {@link #tryProcess(String, String, Supplier)}, for a task without a result. */
    public ProcessResult<Boolean> tryProcess(String consumer, String work, Runnable task) {
        return tryProcess(consumer, work, () -> {
            task.run();
            return true;
        });
    }

    /**
     * Renews the leases of all running work.
     *
     * @return the delay before the next call: a third of the lease
     */
    public Duration step() {
        running.forEach(this::renew);
        return settings.lease().dividedBy(RENEWALS_PER_LEASE);
    }

    /** Stops renewing leases. Running work keeps its current lease until that expires. */
    @Override
    public void close() {
        if (worker != null) {
            worker.close();
        }
    }

    private <T extends @Nullable Object> ProcessResult<T> run(IdempotencyClaim claim, Supplier<T> task) {
        T value = runClaimed(claim, task);
        if (value instanceof CompletionStage) {
            throw new PermanentException("the work " + claim.key() + " returned a future, so its completion cannot be"
                    + " tracked; wait for the future within the work. It can be claimed again after its lease expires");
        }
        // The work is done: a failure from here on must not release the claim.
        boolean completed = guard.complete(claim, settings.ttl());
        if (!completed) {
            log.warn("Work {} outlived its lease, and another caller claimed it; it may have run twice", claim.key());
        }
        return new ProcessResult.Ran<>(value, !completed);
    }

    private <T extends @Nullable Object> T runClaimed(IdempotencyClaim claim, Supplier<T> task) {
        running.add(claim);
        try {
            return task.get();
        } catch (Throwable failure) {
            running.remove(claim); // before the release, or a concurrent renewal would log a lost lease
            release(claim, failure);
            throw failure;
        } finally {
            running.remove(claim);
        }
    }

    private void release(IdempotencyClaim claim, Throwable failure) {
        try {
            guard.release(claim);
        } catch (RuntimeException e) {
            failure.addSuppressed(e); // the lease expires anyway; the task's own failure matters more
        }
    }

    private void renew(IdempotencyClaim claim) {
        try {
            if (!guard.renew(claim, settings.lease()) && running.remove(claim)) {
                log.warn("Work {} lost its lease while running; another caller may run it too", claim.key());
            }
        } catch (RuntimeException e) { // one failure must not stop the renewal of other leases
            log.warn("Work {}: lease renewal failed, retrying: {}", claim.key(), e.toString());
        }
    }

    private static Counter counter(String result, MeterRegistry meters) {
        return Counter.builder("idempotency.checks")
                .description("Idempotency checks: hit if the work was done or in progress, miss if it was run")
                .tag("result", result)
                .register(meters);
    }
}
