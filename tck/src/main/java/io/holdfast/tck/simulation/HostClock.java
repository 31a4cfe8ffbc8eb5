package io.holdfast.tck.simulation;

import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** The clock of one replica's host. It can be set; time passes as on all other hosts. */
final class HostClock extends Clock implements MonotonicClock {

    private final Clock source;
    private Duration ahead = Duration.ZERO;

    HostClock(Clock source) {
        this.source = source;
    }

    /** Sets the clock forward, or back if negative. */
    void setForward(Duration difference) {
        ahead = ahead.plus(difference);
    }

    @Override
    public Instant instant() {
        return source.instant().plus(ahead);
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
        HostClock other = new HostClock(source.withZone(zone));
        other.setForward(ahead);
        return other;
    }
}
