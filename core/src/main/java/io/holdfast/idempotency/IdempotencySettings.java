package io.holdfast.idempotency;

import io.holdfast.InvalidSettingsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the idempotent executor: {@code framework.idempotency.*}.
 *
 * @param enabled if false, work runs on every call without deduplication
 * @param ttl how long completed work is remembered
 * @param lease how long work stays claimed after its process has crashed; renewed while the work runs
 */
public record IdempotencySettings(boolean enabled, Duration ttl, Duration lease) {

    public static final boolean DEFAULT_ENABLED = true;
    public static final Duration DEFAULT_TTL = Duration.ofHours(1);
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    private static final Duration MIN_DURATION = Duration.ofSeconds(1);

    public static final IdempotencySettings DEFAULT =
            new IdempotencySettings(DEFAULT_ENABLED, DEFAULT_TTL, DEFAULT_LEASE);

    /** @throws InvalidSettingsException naming every invalid property, its value and the allowed values */
    public IdempotencySettings {
        List<String> wrong = new ArrayList<>();
        check("ttl", ttl, wrong);
        check("lease", lease, wrong);
        if (!wrong.isEmpty()) {
            throw new InvalidSettingsException(wrong);
        }
    }

    public IdempotencySettings enabled(boolean on) {
        return new IdempotencySettings(on, ttl, lease);
    }

    public IdempotencySettings ttl(Duration time) {
        return new IdempotencySettings(enabled, time, lease);
    }

    public IdempotencySettings lease(Duration time) {
        return new IdempotencySettings(enabled, ttl, time);
    }

    private static void check(String key, Duration value, List<String> wrong) {
        if (value.compareTo(MIN_DURATION) < 0) {
            wrong.add("framework.idempotency." + key + " is " + value + ", but must be 1s or more");
        }
    }
}
