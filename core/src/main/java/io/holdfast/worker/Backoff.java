package io.holdfast.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait after failures in a row: twice as long each time, with jitter, up to a limit. For one thread. */
public final class Backoff {

    /** Each wait is up to this share longer or shorter, so that many do not come back at once. */
    public static final double JITTER = 0.2;

    private final Duration first;
    private final Duration limit;
    private int failures;

    public Backoff(Duration first, Duration limit) {
        this.first = first;
        this.limit = limit;
    }

    /** One more failure; the wait until the next try. */
    public Duration next() {
        double factor = Math.pow(2, failures++);
        double nanos = Math.min((double) first.toNanos() * factor, (double) limit.toNanos());
        double jitter = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofNanos((long) (nanos * jitter));
    }

    /** It worked. */
    public void reset() {
        failures = 0;
    }

    /** Failures in a row. */
    public int failures() {
        return failures;
    }
}
