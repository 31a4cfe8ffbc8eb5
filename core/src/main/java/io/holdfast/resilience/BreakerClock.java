package io.holdfast.resilience;

import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The clock of circuit breakers, for which Resilience4j requires a {@link Clock}: starts at the wall clock's time and
 * continues on the monotonic clock. A breaker only measures intervals.
 */
final class BreakerClock extends Clock {

    private final Clock wallClock;
    private final MonotonicClock clock;
    private final Instant start;
    private final MonotonicTime startTime;

    BreakerClock(Clock wallClock) {
        this.wallClock = wallClock;
        this.clock = MonotonicClock.of(wallClock);
        this.start = wallClock.instant();
        this.startTime = clock.time();
    }

    @Override
    public Instant instant() {
        return start.plus(startTime.until(clock.time()));
    }

    @Override
    public ZoneId getZone() {
        return wallClock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new BreakerClock(wallClock.withZone(zone));
    }
}
