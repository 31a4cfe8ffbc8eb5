package io.holdfast.resilience;

import io.holdfast.InvalidSettingsException;
import io.holdfast.event.Names;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Retry and circuit breaker settings: {@code framework.resilience.*}.
 *
 * @param enabled if false, operations are called directly, without retry or circuit breaker
 * @param circuitBreaker the default circuit breaker settings of all operations
 * @param retry the default retry settings of all operations
 * @param maxHold the maximum time an event stays HELD; after that it becomes PENDING and needs an operator
 * @param instances the overrides by operation name
 */
public record ResilienceSettings(
        boolean enabled,
        CircuitBreakerSettings circuitBreaker,
        RetrySettings retry,
        Duration maxHold,
        Map<String, InstanceOverrides> instances) {

    public static final boolean DEFAULT_ENABLED = true;
    public static final Duration DEFAULT_MAX_HOLD = Duration.ofMinutes(15);

    public static final ResilienceSettings DEFAULT = new ResilienceSettings(
            DEFAULT_ENABLED, CircuitBreakerSettings.DEFAULT, RetrySettings.DEFAULT, DEFAULT_MAX_HOLD, Map.of());

    private static final String PREFIX = "framework.resilience.";

    /** @throws InvalidSettingsException naming every invalid property, its value and the allowed values */
    public ResilienceSettings {
        instances = Collections.unmodifiableMap(new LinkedHashMap<>(instances));
        SettingsErrors wrong = new SettingsErrors();
        CircuitBreakerOverrides.of(circuitBreaker).check(PREFIX + "circuit-breaker.", wrong);
        RetryOverrides.of(retry).check(PREFIX + "retry.", wrong);
        wrong.check(PREFIX + "max-hold", maxHold, hold -> !hold.isNegative(), "0 or longer");
        instances.forEach((name, own) -> {
            Names.require("name of operation", name);
            own.circuitBreaker().check(PREFIX + "instances." + name + ".circuit-breaker.", wrong);
            own.retry().check(PREFIX + "instances." + name + ".retry.", wrong);
        });
        wrong.throwIfAny();
    }

    /** Returns the circuit breaker settings of one operation, its overrides included. */
    public CircuitBreakerSettings circuitBreakerOf(String name) {
        return instance(name).circuitBreaker().applyTo(circuitBreaker);
    }

    /** Returns the retry settings of one operation, its overrides included. */
    public RetrySettings retryOf(String name) {
        return retryOf(name, RetryOverrides.NONE);
    }

    /**
     * Returns the retry settings of one operation.
     *
     * @param own overrides the defaults; the overrides of the instance override it
     */
    public RetrySettings retryOf(String name, RetryOverrides own) {
        return instance(name).retry().applyTo(own.applyTo(retry));
    }

    public ResilienceSettings enabled(boolean on) {
        return new ResilienceSettings(on, circuitBreaker, retry, maxHold, instances);
    }

    public ResilienceSettings circuitBreaker(CircuitBreakerOverrides overrides) {
        return new ResilienceSettings(enabled, overrides.applyTo(circuitBreaker), retry, maxHold, instances);
    }

    public ResilienceSettings retry(RetryOverrides overrides) {
        return new ResilienceSettings(enabled, circuitBreaker, overrides.applyTo(retry), maxHold, instances);
    }

    public ResilienceSettings maxHold(Duration longest) {
        return new ResilienceSettings(enabled, circuitBreaker, retry, longest, instances);
    }

    public ResilienceSettings instance(String name, InstanceOverrides overrides) {
        Map<String, InstanceOverrides> more = new LinkedHashMap<>(instances);
        more.put(name, overrides);
        return new ResilienceSettings(enabled, circuitBreaker, retry, maxHold, more);
    }

    private InstanceOverrides instance(String name) {
        return instances.getOrDefault(name, InstanceOverrides.NONE);
    }
}
