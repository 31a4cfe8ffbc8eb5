package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.holdfast.NonRetryableException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Circuit breaker settings: {@code framework.resilience.circuit-breaker.*}. Validated by
 * {@link ResilienceSettings}.
 *
 * @param failureRateThreshold the failure rate, in percent, at which the breaker opens
 * @param waitDurationInOpenState how long the breaker stays open before it admits trial calls
 * @param slidingWindowSize the size of the sliding window, in calls or seconds
 * @param slidingWindowType the unit of the window size
 * @param minimumNumberOfCalls the number of recorded calls before the breaker can open; capped at the size of a
 *     count-based window
 * @param permittedNumberOfCallsInHalfOpenState the number of trial calls that decide whether the breaker closes
 * @param recordNonRetryable whether non-retryable failures, such as business errors, count against the breaker
 * @param slowCallDurationThreshold the duration above which a call is slow, whatever its outcome; 0 if no call is
 * @param slowCallRateThreshold the rate of slow calls, in percent, at which the breaker opens
 */
public record CircuitBreakerSettings(
        double failureRateThreshold,
        Duration waitDurationInOpenState,
        int slidingWindowSize,
        SlidingWindowType slidingWindowType,
        int minimumNumberOfCalls,
        int permittedNumberOfCallsInHalfOpenState,
        boolean recordNonRetryable,
        Duration slowCallDurationThreshold,
        double slowCallRateThreshold) {

    public static final double DEFAULT_FAILURE_RATE_THRESHOLD = 50;
    public static final Duration DEFAULT_WAIT_DURATION_IN_OPEN_STATE = Duration.ofSeconds(10);
    public static final int DEFAULT_SLIDING_WINDOW_SIZE = 10;
    public static final SlidingWindowType DEFAULT_SLIDING_WINDOW_TYPE = SlidingWindowType.COUNT_BASED;
    public static final int DEFAULT_MINIMUM_NUMBER_OF_CALLS = 5;
    public static final int DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE = 3;
    public static final boolean DEFAULT_RECORD_NON_RETRYABLE = false;
    public static final Duration DEFAULT_SLOW_CALL_DURATION_THRESHOLD = Duration.ZERO;
    public static final double DEFAULT_SLOW_CALL_RATE_THRESHOLD = 100;

    public static final CircuitBreakerSettings DEFAULT = new CircuitBreakerSettings(
            DEFAULT_FAILURE_RATE_THRESHOLD,
            DEFAULT_WAIT_DURATION_IN_OPEN_STATE,
            DEFAULT_SLIDING_WINDOW_SIZE,
            DEFAULT_SLIDING_WINDOW_TYPE,
            DEFAULT_MINIMUM_NUMBER_OF_CALLS,
            DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE,
            DEFAULT_RECORD_NON_RETRYABLE,
            DEFAULT_SLOW_CALL_DURATION_THRESHOLD,
            DEFAULT_SLOW_CALL_RATE_THRESHOLD);

    /** Disables Resilience4j's detection of slow calls, which it cannot turn off; its default threshold is a minute. */
    private static final Duration NEVER_SLOW = Duration.ofDays(365);

    CircuitBreakerConfig config(Clock clock) {
        CircuitBreakerConfig.Builder config = CircuitBreakerConfig.custom()
                .failureRateThreshold((float) failureRateThreshold)
                .waitDurationInOpenState(waitDurationInOpenState)
                .slidingWindowSize(slidingWindowSize)
                .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.valueOf(slidingWindowType.name()))
                .minimumNumberOfCalls(minimumNumberOfCalls)
                .permittedNumberOfCallsInHalfOpenState(permittedNumberOfCallsInHalfOpenState)
                .slowCallDurationThreshold(slowCallDurationThreshold.isZero() ? NEVER_SLOW : slowCallDurationThreshold)
                .slowCallRateThreshold((float) slowCallRateThreshold)
                .clock(clock)
                .currentTimestampFunction(Clock::millis, TimeUnit.MILLISECONDS)
                .writableStackTraceEnabled(false);
        if (!recordNonRetryable) {
            config.ignoreException(NonRetryableException.class::isInstance);
        }
        return config.build();
    }
}
