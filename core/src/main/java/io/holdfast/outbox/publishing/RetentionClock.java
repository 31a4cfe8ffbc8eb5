package io.holdfast.outbox.publishing;

import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The wall clock for the age of entries. If the wall clock is set forward, this one follows only when all entries of the
 * time before are older than the ttl, so no entry looks older than it is. Not thread-safe.
 */
final class RetentionClock {

    private static final MonotonicTime ORIGIN = new MonotonicTime(0);

    private final Clock wallClock;
    private final MonotonicClock monotonicClock;
    private final Duration ttl;
    /** The lowest wall-clock times of the monotonic clock's origin: in the current ttl, and in the one before it. */
    private Instant lowest = Instant.MAX;

    private Instant lowestBefore = Instant.MAX;
    private MonotonicTime nextTtl;

    RetentionClock(Clock wallClock, Duration ttl) {
        this.wallClock = wallClock;
        this.monotonicClock = MonotonicClock.of(wallClock);
        this.ttl = ttl;
        this.nextTtl = monotonicClock.time().plus(ttl);
    }

    Instant instant() {
        MonotonicTime time = monotonicClock.time();
        Duration elapsed = ORIGIN.until(time);
        if (!time.isBefore(nextTtl)) {
            lowestBefore = lowest;
            lowest = Instant.MAX;
            nextTtl = time.plus(ttl);
        }
        lowest = earlier(lowest, wallClock.instant().minus(elapsed));
        return earlier(lowest, lowestBefore).plus(elapsed);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
