package io.holdfast.resilience;

import io.holdfast.InvalidSettingsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Retry settings of one operation. A null value is inherited. */
public record RetryOverrides(
        @Nullable Integer maxAttempts,
        @Nullable Duration waitDuration,
        @Nullable Boolean enableExponentialBackoff,
        @Nullable Double exponentialBackoffMultiplier,
        @Nullable Double jitter) {

    public static final RetryOverrides NONE = new RetryOverrides(null, null, null, null, null);

    /** Returns the inherited settings with these overrides applied. */
    public RetrySettings applyTo(RetrySettings inherited) {
        return new RetrySettings(
                maxAttempts != null ? maxAttempts : inherited.maxAttempts(),
                waitDuration != null ? waitDuration : inherited.waitDuration(),
                enableExponentialBackoff != null ? enableExponentialBackoff : inherited.enableExponentialBackoff(),
                exponentialBackoffMultiplier != null
                        ? exponentialBackoffMultiplier
                        : inherited.exponentialBackoffMultiplier(),
                jitter != null ? jitter : inherited.jitter());
    }

    public RetryOverrides maxAttempts(int attempts) {
        return new RetryOverrides(
                attempts, waitDuration, enableExponentialBackoff, exponentialBackoffMultiplier, jitter);
    }

    public RetryOverrides waitDuration(Duration wait) {
        return new RetryOverrides(maxAttempts, wait, enableExponentialBackoff, exponentialBackoffMultiplier, jitter);
    }

    public RetryOverrides enableExponentialBackoff(boolean growing) {
        return new RetryOverrides(maxAttempts, waitDuration, growing, exponentialBackoffMultiplier, jitter);
    }

    public RetryOverrides exponentialBackoffMultiplier(double factor) {
        return new RetryOverrides(maxAttempts, waitDuration, enableExponentialBackoff, factor, jitter);
    }

    public RetryOverrides jitter(double share) {
        return new RetryOverrides(
                maxAttempts, waitDuration, enableExponentialBackoff, exponentialBackoffMultiplier, share);
    }

    /**
     * Checks overrides that are set in code.
     *
     * @param prefix precedes each setting in the message
     * @throws InvalidSettingsException naming every invalid setting, its value and the allowed values
     */
    public void requireValid(String prefix) {
        SettingsErrors wrong = new SettingsErrors();
        check(prefix, wrong);
        wrong.throwIfAny();
    }

    static RetryOverrides of(RetrySettings settings) {
        return new RetryOverrides(
                settings.maxAttempts(),
                settings.waitDuration(),
                settings.enableExponentialBackoff(),
                settings.exponentialBackoffMultiplier(),
                settings.jitter());
    }

    void check(String prefix, SettingsErrors wrong) {
        wrong.check(prefix + "max-attempts", maxAttempts, attempts -> attempts >= 1, "1 or more, the first included");
        wrong.check(
                prefix + "wait-duration",
                waitDuration,
                wait -> !wait.isNegative() && wait.compareTo(RetrySettings.MAX_WAIT_DURATION) <= 0,
                "from 0 to 1h");
        wrong.check(
                prefix + "exponential-backoff-multiplier",
                exponentialBackoffMultiplier,
                factor -> factor >= 1 && Double.isFinite(factor),
                "1 or more");
        wrong.check(prefix + "jitter", jitter, share -> share >= 0 && share <= 1, "from 0 to 1");
    }
}
