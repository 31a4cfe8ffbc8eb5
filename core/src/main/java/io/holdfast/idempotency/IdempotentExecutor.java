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
 * Runs work that may come more than once, once: claims it, keeps the claim while it runs, remembers that it is done.
 * Over any {@link IdempotencyGuard}.
 *
 * <p><b>Duty.</b> Of all who come with the same consumer and work, one runs it. If it fails, the claim is released and
 * the next one runs it; if its process dies, that happens after the lease. Done work is not run again until the ttl has
 * passed.
 *
 * <p><b>Thread-safety.</b> Any number of threads. The work runs on the caller's; leases are renewed on one of its own.
 *
 * <p><b>Not promised.</b> What the guard does not promise: a process that dies after the work and before it is
 * remembered leaves it to be run again, and so does a store that cannot be reached then.
 */
public final class IdempotentExecutor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IdempotentExecutor.class);
    /** How often a lease is renewed in its time; one renewal may fail. */
    private static final int RENEWALS_PER_LEASE = 3;

    private final IdempotencyGuard guard;
    private final IdempotencySettings settings;
    private final Counter hits;
    private final Counter misses;
    private final Set<IdempotencyClaim> running = ConcurrentHashMap.newKeySet();
    private @Nullable Worker worker;

    /** Without a thread: whoever uses it so calls {@link #step} in time. */
    public IdempotentExecutor(IdempotencyGuard guard, IdempotencySettings settings, MeterRegistry meters) {
        this.guard = guard;
        this.settings = settings;
        this.hits = counter("hit", meters);
        this.misses = counter("miss", meters);
    }

    /** With a thread that renews leases, until it is closed. */
    public static IdempotentExecutor start(IdempotencyGuard guard, IdempotencySettings settings, MeterRegistry meters) {
        IdempotentExecutor started = new IdempotentExecutor(guard, settings, meters);
        started.worker = Worker.start("holdfast-idempotency", started::step);
        return started;
    }

    /**
     * Runs work unless it was done before or is being done.
     *
     * @param consumer who does the work; another consumer of the same event has work of its own
     * @param work what is done, such as the id of an event; the same for every delivery
     * @throws RuntimeException what the work throws, as it is; the work may then be tried again at once. Also what the
     *     guard throws: before the work nothing has happened; after it, the work is done and can run again after the lease
     * @throws PermanentException if the work gives a future: it is not done then
     */
    public <T extends @Nullable Object> ProcessResult<T> tryProcess(String consumer, String work, Supplier<T> todo) {
        if (!settings.enabled()) {
            return new ProcessResult.Ran<>(todo.get(), false);
        }
        ClaimResult answer = guard.claim(new IdempotencyKey(consumer, work), settings.lease());
        if (answer instanceof ClaimResult.Claimed claimed) {
            misses.increment();
            return run(claimed.claim(), todo);
        }
        hits.increment();
        return answer instanceof ClaimResult.Done
                ? new ProcessResult.AlreadyDone<>()
                : new ProcessResult.InProgress<>();
    }

    /** The same for work without a result. */
    public ProcessResult<Boolean> tryProcess(String consumer, String work, Runnable todo) {
        return tryProcess(consumer, work, () -> {
            todo.run();
            return true;
        });
    }

    /** Renews the leases of all work that is running; to be called three times in a lease. */
    public Duration step() {
        running.forEach(this::renew);
        return settings.lease().dividedBy(RENEWALS_PER_LEASE);
    }

    /** Ends the renewing. Work that still runs keeps its lease, and no longer. */
    @Override
    public void close() {
        if (worker != null) {
            worker.close();
        }
    }

    private <T extends @Nullable Object> ProcessResult<T> run(IdempotencyClaim claim, Supplier<T> todo) {
        T value = runClaimed(claim, todo);
        if (value instanceof CompletionStage) {
            throw new PermanentException("the work " + claim.key() + " gave a future, so it is not known when it is"
                    + " done; wait for the future within the work. It can be claimed again after its lease");
        }
        // A failure from here on must not release: the work is done.
        boolean completed = guard.complete(claim, settings.ttl());
        if (!completed) {
            log.warn("The work {} outlived its lease and another took it; it may have run twice", claim.key());
        }
        return new ProcessResult.Ran<>(value, !completed);
    }

    private <T extends @Nullable Object> T runClaimed(IdempotencyClaim claim, Supplier<T> todo) {
        running.add(claim);
        try {
            return todo.get();
        } catch (Throwable failure) {
            running.remove(claim); // before the release, or a renewal would find it gone and complain
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
            failure.addSuppressed(e); // the lease ends by itself; what went wrong with the work is more important
        }
    }

    private void renew(IdempotencyClaim claim) {
        try {
            if (!guard.renew(claim, settings.lease()) && running.remove(claim)) {
                log.warn("The lease of the work {} was lost while it runs", claim.key());
            }
        } catch (RuntimeException e) { // that of one must not end the renewing of the others
            log.warn("The lease of the work {} was not renewed, this is tried again: {}", claim.key(), e.toString());
        }
    }

    private static Counter counter(String result, MeterRegistry meters) {
        return Counter.builder("idempotency.checks")
                .description("Work that came: hit if it was done before or is being done, miss if it was run")
                .tag("result", result)
                .register(meters);
    }
}
