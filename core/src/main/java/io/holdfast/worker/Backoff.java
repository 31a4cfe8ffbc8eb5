package io.holdfast.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff: doubles the delay with every consecutive failure, with jitter, up to a limit. Not thread-safe.
 */
public final class Backoff {

    /** Fraction by which each delay is randomly longer or shorter, so that many clients do not retry simultaneously. */
    public static final double JITTER = 0.2;

    private final Duration first;
    private final Duration limit;
    private int failures;

    public Backoff(Duration first, Duration limit) {
        this.first = first;
        this.limit = limit;
    }

    /** Counts a failure and returns the delay before the next attempt. */
    public Duration next() {
        double factor = Math.pow(2, failures++);
        double nanos = Math.min((double) first.toNanos() * factor, (double) limit.toNanos());
        double jitter = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofNanos((long) (nanos * jitter));
    }

    /** Returns the longest delay that jitter makes of this one. */
    public static Duration withJitter(Duration delay) {
        return Duration.ofNanos((long) ((double) delay.toNanos() * (1 + JITTER)));
    }

    /** Resets the delay after a success. */
    public void reset() {
        failures = 0;
    }

    /** Returns the number of consecutive failures. */
    public int failures() {
        return failures;
    }
}
