package io.holdfast.resilience;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Circuit breaker settings of one operation. A null value is inherited. */
public record CircuitBreakerOverrides(
        @Nullable Double failureRateThreshold,
        @Nullable Duration waitDurationInOpenState,
        @Nullable Integer slidingWindowSize,
        @Nullable SlidingWindowType slidingWindowType,
        @Nullable Integer minimumNumberOfCalls,
        @Nullable Integer permittedNumberOfCallsInHalfOpenState,
        @Nullable Boolean recordNonRetryable,
        @Nullable Duration slowCallDurationThreshold,
        @Nullable Double slowCallRateThreshold) {

    public static final CircuitBreakerOverrides NONE =
            new CircuitBreakerOverrides(null, null, null, null, null, null, null, null, null);

    /** Returns the inherited settings with these overrides applied. */
    public CircuitBreakerSettings applyTo(CircuitBreakerSettings inherited) {
        return new CircuitBreakerSettings(
                failureRateThreshold != null ? failureRateThreshold : inherited.failureRateThreshold(),
                waitDurationInOpenState != null ? waitDurationInOpenState : inherited.waitDurationInOpenState(),
                slidingWindowSize != null ? slidingWindowSize : inherited.slidingWindowSize(),
                slidingWindowType != null ? slidingWindowType : inherited.slidingWindowType(),
                minimumNumberOfCalls != null ? minimumNumberOfCalls : inherited.minimumNumberOfCalls(),
                permittedNumberOfCallsInHalfOpenState != null
                        ? permittedNumberOfCallsInHalfOpenState
                        : inherited.permittedNumberOfCallsInHalfOpenState(),
                recordNonRetryable != null ? recordNonRetryable : inherited.recordNonRetryable(),
                slowCallDurationThreshold != null ? slowCallDurationThreshold : inherited.slowCallDurationThreshold(),
                slowCallRateThreshold != null ? slowCallRateThreshold : inherited.slowCallRateThreshold());
    }

    public CircuitBreakerOverrides failureRateThreshold(double percent) {
        return new CircuitBreakerOverrides(
                percent,
                waitDurationInOpenState,
                slidingWindowSize,
                slidingWindowType,
                minimumNumberOfCalls,
                permittedNumberOfCallsInHalfOpenState,
                recordNonRetryable,
                slowCallDurationThreshold,
                slowCallRateThreshold);
    }

    public CircuitBreakerOverrides waitDurationInOpenState(Duration wait) {
        return new CircuitBreakerOverrides(
                failureRateThreshold,
                wait,
                slidingWindowSize,
                slidingWindowType,
                minimumNumberOfCalls,
                permittedNumberOfCallsInHalfOpenState,
                recordNonRetryable,
                slowCallDurationThreshold,
                slowCallRateThreshold);
    }

    public CircuitBreakerOverrides slidingWindow(SlidingWindowType type, int size) {
        return new CircuitBreakerOverrides(
                failureRateThreshold,
                waitDurationInOpenState,
                size,
                type,
                minimumNumberOfCalls,
                permittedNumberOfCallsInHalfOpenState,
                recordNonRetryable,
                slowCallDurationThreshold,
                slowCallRateThreshold);
    }

    public CircuitBreakerOverrides minimumNumberOfCalls(int calls) {
        return new CircuitBreakerOverrides(
                failureRateThreshold,
                waitDurationInOpenState,
                slidingWindowSize,
                slidingWindowType,
                calls,
                permittedNumberOfCallsInHalfOpenState,
                recordNonRetryable,
                slowCallDurationThreshold,
                slowCallRateThreshold);
    }

    public CircuitBreakerOverrides permittedNumberOfCallsInHalfOpenState(int calls) {
        return new CircuitBreakerOverrides(
                failureRateThreshold,
                waitDurationInOpenState,
                slidingWindowSize,
                slidingWindowType,
                minimumNumberOfCalls,
                calls,
                recordNonRetryable,
                slowCallDurationThreshold,
                slowCallRateThreshold);
    }

    public CircuitBreakerOverrides recordNonRetryable(boolean counted) {
        return new CircuitBreakerOverrides(
                failureRateThreshold,
                waitDurationInOpenState,
                slidingWindowSize,
                slidingWindowType,
                minimumNumberOfCalls,
                permittedNumberOfCallsInHalfOpenState,
                counted,
                slowCallDurationThreshold,
                slowCallRateThreshold);
    }

    /**
     * Makes slow calls count: the breaker also opens when this share of the calls is slow.
     *
     * @param duration the duration above which a call is slow; 0 if no call is
     */
    public CircuitBreakerOverrides slowCalls(Duration duration, double percent) {
        return new CircuitBreakerOverrides(
                failureRateThreshold,
                waitDurationInOpenState,
                slidingWindowSize,
                slidingWindowType,
                minimumNumberOfCalls,
                permittedNumberOfCallsInHalfOpenState,
                recordNonRetryable,
                duration,
                percent);
    }

    static CircuitBreakerOverrides of(CircuitBreakerSettings settings) {
        return new CircuitBreakerOverrides(
                settings.failureRateThreshold(),
                settings.waitDurationInOpenState(),
                settings.slidingWindowSize(),
                settings.slidingWindowType(),
                settings.minimumNumberOfCalls(),
                settings.permittedNumberOfCallsInHalfOpenState(),
                settings.recordNonRetryable(),
                settings.slowCallDurationThreshold(),
                settings.slowCallRateThreshold());
    }

    void check(String prefix, SettingsErrors wrong) {
        wrong.check(
                prefix + "failure-rate-threshold",
                failureRateThreshold,
                percent -> percent > 0 && percent <= 100,
                "above 0 and at most 100");
        wrong.check(
                prefix + "wait-duration-in-open-state",
                waitDurationInOpenState,
                wait -> wait.toMillis() >= 1,
                "1ms or more");
        wrong.check(prefix + "sliding-window-size", slidingWindowSize, size -> size >= 1, "1 or more");
        wrong.check(prefix + "minimum-number-of-calls", minimumNumberOfCalls, calls -> calls >= 1, "1 or more");
        wrong.check(
                prefix + "permitted-number-of-calls-in-half-open-state",
                permittedNumberOfCallsInHalfOpenState,
                calls -> calls >= 1,
                "1 or more");
        wrong.check(
                prefix + "slow-call-duration-threshold",
                slowCallDurationThreshold,
                duration -> duration.isZero() || duration.toMillis() >= 1,
                "0 (off), or 1ms or more");
        wrong.check(
                prefix + "slow-call-rate-threshold",
                slowCallRateThreshold,
                percent -> percent > 0 && percent <= 100,
                "above 0 and at most 100");
    }
}
