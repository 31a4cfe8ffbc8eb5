package io.holdfast.tck.saga;

import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Supplier;

/** A wall clock that can be set. Time passes as on the clock below. */
final class ShiftedClock extends Clock implements MonotonicClock {

    private final Clock source;
    private final Supplier<Duration> ahead;

    ShiftedClock(Clock source, Supplier<Duration> ahead) {
        this.source = source;
        this.ahead = ahead;
    }

    @Override
    public Instant instant() {
        return source.instant().plus(ahead.get());
    }

    @Override
    public MonotonicTime time() {
        return MonotonicClock.of(source).time();
    }

    @Override
    public ZoneId getZone() {
        return source.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new ShiftedClock(source.withZone(zone), ahead);
    }
}
