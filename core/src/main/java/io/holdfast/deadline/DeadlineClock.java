package io.holdfast.deadline;

import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time on which deadlines are set and fire: the store's, which all replicas share, advanced by the monotonic clock.
 * If a clock is set, no deadline fires early and none waits longer than it should. Thread-safe.
 */
public final class DeadlineClock {

    private static final Logger log = LoggerFactory.getLogger(DeadlineClock.class);
    /** Clocks drift by less than this between two adjustments. A larger difference is a clock that was set. */
    private static final Duration MAX_DRIFT = Duration.ofSeconds(2);
    /** The store's answer is at most this old when it arrives. */
    private static final Duration MAX_DELAY = Duration.ofSeconds(1);

    private final String service;
    private final Supplier<Instant> storeTime;
    private final MonotonicClock monotonic;
    private volatile Anchor anchor;
    private boolean anchored;
    private boolean storeClockWasSet;

    /**
     * Creates a clock that starts with the wall clock, until {@link #adjust} asks the store.
     *
     * @param storeTime reads the store's clock
     */
    public DeadlineClock(String service, Supplier<Instant> storeTime, Clock wallClock) {
        this.service = service;
        this.storeTime = storeTime;
        this.monotonic = MonotonicClock.of(wallClock);
        this.anchor = new Anchor(wallClock.instant(), monotonic.time());
    }

    public Instant now() {
        return now(anchor, monotonic.time());
    }

    private static Instant now(Anchor from, MonotonicTime time) {
        return from.time.plus(from.at.until(time));
    }

    /** Follows the store's clock, unless that was set. */
    public synchronized void adjust() {
        MonotonicTime asked = monotonic.time();
        Instant store = storeTime.get();
        MonotonicTime time = monotonic.time();
        Duration difference = Duration.between(now(anchor, time), store);
        if (!anchored || difference.abs().compareTo(MAX_DRIFT) <= 0) {
            anchor = new Anchor(store, time);
            // A slow answer is old. The clock starts with it, but the next one may correct it by more than a drift.
            anchored |= asked.until(time).compareTo(MAX_DELAY) <= 0;
            storeClockWasSet = false;
        } else if (!storeClockWasSet) {
            storeClockWasSet = true;
            log.warn(
                    "The clock of the store of {} was set by {}, or this process was suspended for that time. Deadlines"
                            + " keep the time from before, until this process restarts or the clock is set back",
                    service,
                    difference);
        }
    }

    private record Anchor(Instant time, MonotonicTime at) {}
}
