package io.holdfast.processing.metrics;

import io.holdfast.HoldfastException;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Reads the values of a service's gauges from the store. After a failed read, all gauges are NaN and the store is not
 * queried again for ten seconds: a metrics collector reads the gauges of every component in turn, and would wait for an
 * unavailable database each time. Thread-safe.
 */
public final class GaugeReads {

    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private final MonotonicClock clock;
    private volatile MonotonicTime retryAt = MonotonicTime.MIN;

    public GaugeReads(Clock clock) {
        this.clock = MonotonicClock.of(clock);
    }

    /** Returns the value, or NaN if it is unknown. */
    double read(Supplier<Double> query) {
        if (clock.time().isBefore(retryAt)) {
            return Double.NaN;
        }
        try {
            return query.get();
        } catch (HoldfastException e) {
            retryAt = clock.time().plus(RETRY_INTERVAL);
            return Double.NaN;
        }
    }
}
