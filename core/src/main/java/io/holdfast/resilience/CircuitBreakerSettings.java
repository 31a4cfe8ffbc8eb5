package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.holdfast.NonRetryableException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When a circuit breaker opens and closes: {@code framework.resilience.circuit-breaker.*}. Checked as a part of
 * {@link ResilienceSettings}.
 *
 * @param failureRateThreshold the share of failed calls, in percent, at which it opens
 * @param waitDurationInOpenState how long it stays open before it lets calls try
 * @param slidingWindowSize how many calls, or seconds, it looks at
 * @param slidingWindowType what the size counts
 * @param minimumNumberOfCalls how many calls it must have seen before it opens; never more than a window of calls holds
 * @param permittedNumberOfCallsInHalfOpenState how many calls may try, and decide whether it closes
 * @param recordNonRetryable whether final failures, such as business errors, count against it
 */
public record CircuitBreakerSettings(
        double failureRateThreshold,
        Duration waitDurationInOpenState,
        int slidingWindowSize,
        SlidingWindowType slidingWindowType,
        int minimumNumberOfCalls,
        int permittedNumberOfCallsInHalfOpenState,
        boolean recordNonRetryable) {

    public static final double DEFAULT_FAILURE_RATE_THRESHOLD = 50;
    public static final Duration DEFAULT_WAIT_DURATION_IN_OPEN_STATE = Duration.ofSeconds(10);
    public static final int DEFAULT_SLIDING_WINDOW_SIZE = 10;
    public static final SlidingWindowType DEFAULT_SLIDING_WINDOW_TYPE = SlidingWindowType.COUNT_BASED;
    public static final int DEFAULT_MINIMUM_NUMBER_OF_CALLS = 5;
    public static final int DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE = 3;
    public static final boolean DEFAULT_RECORD_NON_RETRYABLE = false;

    public static final CircuitBreakerSettings DEFAULT = new CircuitBreakerSettings(
            DEFAULT_FAILURE_RATE_THRESHOLD,
            DEFAULT_WAIT_DURATION_IN_OPEN_STATE,
            DEFAULT_SLIDING_WINDOW_SIZE,
            DEFAULT_SLIDING_WINDOW_TYPE,
            DEFAULT_MINIMUM_NUMBER_OF_CALLS,
            DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE,
            DEFAULT_RECORD_NON_RETRYABLE);

    /** Resilience4j opens on slow successes too, beyond a minute; that is not among the settings, so nothing is slow. */
    private static final Duration NEVER_SLOW = Duration.ofDays(365);

    CircuitBreakerConfig config(Clock clock) {
        CircuitBreakerConfig.Builder config = CircuitBreakerConfig.custom()
                .failureRateThreshold((float) failureRateThreshold)
                .waitDurationInOpenState(waitDurationInOpenState)
                .slidingWindowSize(slidingWindowSize)
                .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.valueOf(slidingWindowType.name()))
                .minimumNumberOfCalls(minimumNumberOfCalls)
                .permittedNumberOfCallsInHalfOpenState(permittedNumberOfCallsInHalfOpenState)
                .slowCallDurationThreshold(NEVER_SLOW)
                .clock(clock)
                .currentTimestampFunction(Clock::millis, TimeUnit.MILLISECONDS)
                .writableStackTraceEnabled(false);
        if (!recordNonRetryable) {
            config.ignoreException(NonRetryableException.class::isInstance);
        }
        return config.build();
    }
}
