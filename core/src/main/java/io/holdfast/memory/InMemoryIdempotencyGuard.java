package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.idempotency.ClaimResult;
import io.holdfast.idempotency.IdempotencyClaim;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Claims by idempotency key. Guarded by its own monitor. Completed records whose ttl has expired are removed once per
 * {@value #CLAIMS_PER_SWEEP} claims.
 */
final class InMemoryIdempotencyGuard implements IdempotencyGuard {

    private static final int CLAIMS_PER_SWEEP = 1_000;

    private final MonotonicClock clock;
    private final CommitPoint.Observer points;
    private final Map<IdempotencyKey, Entry> entries = new HashMap<>();
    private long fences;

    InMemoryIdempotencyGuard(Clock clock, CommitPoint.Observer points) {
        this.clock = MonotonicClock.of(clock);
        this.points = points;
    }

    @Override
    public ClaimResult claim(IdempotencyKey key, Duration lease) {
        return write(CommitPoint.GUARD_CLAIM, () -> {
            MonotonicTime now = clock.time();
            Entry entry = entries.get(key);
            if (entry != null && now.isBefore(entry.until())) {
                return entry.done() ? new ClaimResult.Done() : new ClaimResult.InProgress();
            }
            IdempotencyClaim claim = new IdempotencyClaim(key, ++fences);
            entries.put(key, new Entry(claim.fence(), false, now.plus(lease)));
            sweep(now);
            return new ClaimResult.Claimed(claim);
        });
    }

    @Override
    public boolean renew(IdempotencyClaim claim, Duration lease) {
        return write(CommitPoint.GUARD_RENEW, () -> {
            if (!isOpen(claim)) {
                return false;
            }
            entries.put(
                    claim.key(), new Entry(claim.fence(), false, clock.time().plus(lease)));
            return true;
        });
    }

    @Override
    public boolean complete(IdempotencyClaim claim, Duration ttl) {
        return write(CommitPoint.GUARD_COMPLETE, () -> {
            Entry entry = entries.get(claim.key());
            if (entry == null || entry.fence() != claim.fence()) {
                return false;
            }
            if (!entry.done()) {
                entries.put(
                        claim.key(), new Entry(claim.fence(), true, clock.time().plus(ttl)));
            }
            return true;
        });
    }

    @Override
    public void release(IdempotencyClaim claim) {
        write(CommitPoint.GUARD_RELEASE, () -> isOpen(claim) && entries.remove(claim.key()) != null);
    }

    private boolean isOpen(IdempotencyClaim claim) {
        Entry entry = entries.get(claim.key());
        return entry != null && entry.fence() == claim.fence() && !entry.done();
    }

    private void sweep(MonotonicTime now) {
        if (fences % CLAIMS_PER_SWEEP == 0) {
            entries.values().removeIf(entry -> entry.done() && !now.isBefore(entry.until()));
        }
    }

    private <T> T write(CommitPoint point, Supplier<T> write) {
        return points.pass(point, () -> {
            synchronized (this) {
                return write.get();
            }
        });
    }

    /** @param until when the lease expires or, once done, when the ttl does */
    private record Entry(long fence, boolean done, MonotonicTime until) {}
}
