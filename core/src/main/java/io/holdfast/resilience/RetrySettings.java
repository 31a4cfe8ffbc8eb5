package io.holdfast.resilience;

import io.github.resilience4j.retry.RetryConfig;
import io.holdfast.NonRetryableException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and when an operation is tried again: {@code framework.resilience.retry.*}. Checked as a part of
 * {@link ResilienceSettings}.
 *
 * @param maxAttempts how often it is called at most, the first time included
 * @param waitDuration how long to wait after the first failure
 * @param enableExponentialBackoff whether each further wait is longer than the one before
 * @param exponentialBackoffMultiplier by how much; no wait grows beyond {@link #MAX_WAIT_DURATION}
 * @param jitter each wait is up to this share longer or shorter, so that many do not come back at once
 */
public record RetrySettings(
        int maxAttempts,
        Duration waitDuration,
        boolean enableExponentialBackoff,
        double exponentialBackoffMultiplier,
        double jitter) {

    public static final int DEFAULT_MAX_ATTEMPTS = 3;
    public static final Duration DEFAULT_WAIT_DURATION = Duration.ofMillis(500);
    public static final boolean DEFAULT_ENABLE_EXPONENTIAL_BACKOFF = true;
    public static final double DEFAULT_EXPONENTIAL_BACKOFF_MULTIPLIER = 2.0;
    public static final double DEFAULT_JITTER = 0.2;

    /** Waits grow up to here, before jitter. */
    public static final Duration MAX_WAIT_DURATION = Duration.ofHours(1);

    public static final RetrySettings DEFAULT = new RetrySettings(
            DEFAULT_MAX_ATTEMPTS,
            DEFAULT_WAIT_DURATION,
            DEFAULT_ENABLE_EXPONENTIAL_BACKOFF,
            DEFAULT_EXPONENTIAL_BACKOFF_MULTIPLIER,
            DEFAULT_JITTER);

    RetryConfig config() {
        return RetryConfig.custom()
                .maxAttempts(maxAttempts)
                .intervalFunction(this::waitMillis)
                .retryOnException(RetrySettings::isRetryable)
                .build();
    }

    /** An operation within this one has had its own attempts; what came of them is not multiplied by ours. */
    private static boolean isRetryable(Throwable failure) {
        return NonRetryableException.isRetryable(failure) && !(failure instanceof ResilienceException);
    }

    /** How long to wait after that many failures. */
    public Duration waitAfter(int failures) {
        return Duration.ofMillis(waitMillis(failures));
    }

    private long waitMillis(int failures) {
        double factor = enableExponentialBackoff ? Math.pow(exponentialBackoffMultiplier, failures - 1) : 1;
        double millis = Math.min((double) waitDuration.toMillis() * factor, (double) MAX_WAIT_DURATION.toMillis());
        return Math.round(
                millis * (1 + jitter * (2 * ThreadLocalRandom.current().nextDouble() - 1)));
    }
}
