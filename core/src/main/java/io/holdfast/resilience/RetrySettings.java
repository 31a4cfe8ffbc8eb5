package io.holdfast.resilience;

import io.github.resilience4j.retry.RetryConfig;
import io.holdfast.NonRetryableException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Retry settings: {@code framework.resilience.retry.*}. Validated by {@link ResilienceSettings}.
 *
 * @param maxAttempts the maximum number of attempts, the first included
 * @param waitDuration the delay after the first failure
 * @param enableExponentialBackoff whether the delay grows with every failure
 * @param exponentialBackoffMultiplier the factor by which it grows, up to {@link #MAX_WAIT_DURATION}
 * @param jitter the fraction by which each delay is randomly longer or shorter, so that many clients do not retry
 *     simultaneously
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

    /** Maximum backoff, before jitter. */
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

    /** A nested operation has used its own attempts. Its failure is not retried here, so attempts do not multiply. */
    private static boolean isRetryable(Throwable failure) {
        return NonRetryableException.isRetryable(failure) && !(failure instanceof ResilienceException);
    }

    /** Returns the backoff after this number of failures, with jitter. */
    public Duration waitAfter(int failures) {
        return Duration.ofMillis(waitMillis(failures));
    }

    /** Returns the longest backoff between two attempts. */
    public Duration longestWait() {
        return Duration.ofMillis(Math.round(meanMillis(Math.max(1, maxAttempts - 1)) * (1 + jitter)));
    }

    private long waitMillis(int failures) {
        return Math.round(meanMillis(failures)
                * (1 + jitter * (2 * ThreadLocalRandom.current().nextDouble() - 1)));
    }

    private double meanMillis(int failures) {
        double factor = enableExponentialBackoff ? Math.pow(exponentialBackoffMultiplier, failures - 1) : 1;
        return Math.min((double) waitDuration.toMillis() * factor, (double) MAX_WAIT_DURATION.toMillis());
    }
}
