package io.holdfast.processing;

import io.holdfast.HoldfastException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Asks a store for what the gauges of a service show. A store that does not answer says nothing about the queues, and is not asked
 * again for a while: whoever collects metrics asks for every component, one after another, and each time would wait as long for
 * a database that is away. For any number of threads.
 */
public final class GaugeReads {

    static final Duration RETRY_INTERVAL = Duration.ofSeconds(10);

    private final Clock clock;
    private volatile Instant retryAt = Instant.MIN;

    public GaugeReads(Clock clock) {
        this.clock = clock;
    }

    /** The answer, or that there is none. */
    double read(Supplier<Double> question) {
        if (clock.instant().isBefore(retryAt)) {
            return Double.NaN;
        }
        try {
            return question.get();
        } catch (HoldfastException e) {
            retryAt = clock.instant().plus(RETRY_INTERVAL);
            return Double.NaN;
        }
    }
}
