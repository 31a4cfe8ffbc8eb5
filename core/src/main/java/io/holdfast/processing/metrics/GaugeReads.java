package io.holdfast.processing.metrics;

import io.holdfast.HoldfastException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Reads the values of a service's gauges from the store. After a failed read, all gauges are NaN and the store is not
 * queried again for ten seconds: a metrics collector reads the gauges of every component in turn, and would wait for an
 * unavailable database each time. Thread-safe.
 */
public final class GaugeReads {

    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private final Clock clock;
    private volatile Instant retryAt = Instant.MIN;

    public GaugeReads(Clock clock) {
        this.clock = clock;
    }

    /** Returns the value, or NaN if it is unknown. */
    double read(Supplier<Double> query) {
        if (clock.instant().isBefore(retryAt)) {
            return Double.NaN;
        }
        try {
            return query.get();
        } catch (HoldfastException e) {
            retryAt = clock.instant().plus(RETRY_INTERVAL);
            return Double.NaN;
        }
    }
}
