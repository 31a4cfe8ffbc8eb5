package io.holdfast.saga;

import io.holdfast.InvalidSettingsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How sagas time out, and how long they are kept.
 *
 * @param timeoutEnabled whether deadlines are judged at all
 * @param checkInterval the longest time between two runs of the timeout detector
 * @param defaultDeadline the time limit of sagas that neither {@code deadlines} nor their declaration limits
 * @param autoCompensate whether a saga that times out is compensated; otherwise it waits for an operator
 * @param maxBatchSize how many sagas one run of the detector judges
 * @param deadlines how long sagas may take, by type
 * @param maxSuspended how long a parked event may suspend the deadline of its saga
 * @param retention how long ended sagas are kept
 */
public record SagaSettings(
        boolean timeoutEnabled,
        Duration checkInterval,
        Duration defaultDeadline,
        boolean autoCompensate,
        int maxBatchSize,
        Map<String, Duration> deadlines,
        Duration maxSuspended,
        Duration retention) {

    public static final Duration MIN_RETENTION = Duration.ofHours(1);

    public static final SagaSettings DEFAULT = new SagaSettings(
            true,
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            true,
            100,
            Map.of(),
            Duration.ofHours(24),
            Duration.ofDays(7));

    /** @throws InvalidSettingsException naming every invalid value */
    public SagaSettings {
        deadlines = Map.copyOf(deadlines);
        List<String> problems = new ArrayList<>();
        requirePositive("saga.timeout.check-interval", checkInterval, problems);
        requirePositive("saga.timeout.default-deadline", defaultDeadline, problems);
        requirePositive("saga.timeout.max-suspended", maxSuspended, problems);
        deadlines.forEach((type, time) -> requirePositive("saga.timeout.saga-types." + type, time, problems));
        if (maxBatchSize < 1) {
            problems.add("saga.timeout.max-batch-size is " + maxBatchSize + ", but must be 1 or more");
        }
        if (retention.compareTo(MIN_RETENTION) < 0) {
            problems.add("saga.retention is " + retention + ", but must be " + MIN_RETENTION + " or more");
        }
        if (!problems.isEmpty()) {
            throw new InvalidSettingsException(problems);
        }
    }

    private static void requirePositive(String key, Duration value, List<String> problems) {
        if (value.isNegative() || value.isZero()) {
            problems.add(key + " is " + value + ", but must be longer than 0");
        }
    }

    /** Returns how long a saga of this type may take. */
    public Duration deadlineOf(Choreography type) {
        return deadlineOf(type.type(), type.findTimeout());
    }

    /**
     * Returns how long a saga of this type may take.
     *
     * @param declared the timeout that the code declares
     */
    public Duration deadlineOf(String type, Optional<Duration> declared) {
        Duration configured = deadlines.get(type);
        return configured != null ? configured : declared.orElse(defaultDeadline);
    }

    public SagaSettings withTimeoutEnabled(boolean enabled) {
        return new SagaSettings(
                enabled,
                checkInterval,
                defaultDeadline,
                autoCompensate,
                maxBatchSize,
                deadlines,
                maxSuspended,
                retention);
    }

    public SagaSettings withDefaultDeadline(Duration time) {
        return new SagaSettings(
                timeoutEnabled, checkInterval, time, autoCompensate, maxBatchSize, deadlines, maxSuspended, retention);
    }

    public SagaSettings withAutoCompensate(boolean automatic) {
        return new SagaSettings(
                timeoutEnabled,
                checkInterval,
                defaultDeadline,
                automatic,
                maxBatchSize,
                deadlines,
                maxSuspended,
                retention);
    }

    public SagaSettings withRetention(Duration time) {
        return new SagaSettings(
                timeoutEnabled,
                checkInterval,
                defaultDeadline,
                autoCompensate,
                maxBatchSize,
                deadlines,
                maxSuspended,
                time);
    }
}
