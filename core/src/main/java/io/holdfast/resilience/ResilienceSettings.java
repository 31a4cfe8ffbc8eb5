package io.holdfast.resilience;

import io.holdfast.InvalidSettingsException;
import io.holdfast.event.Names;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How operations are carried out: {@code framework.resilience.*}.
 *
 * @param enabled false: operations are called directly, without retry and breaker
 * @param circuitBreaker what every operation's breaker has unless it has its own
 * @param retry what every operation's retry has unless it has its own
 * @param maxHold how long an open breaker may hold an event before that is a person's turn
 * @param instances by the name of the operation, what it has different
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

    /** @throws InvalidSettingsException that names every wrong property, its value and what is allowed */
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

    /** The settings of one operation's breaker: its own, and what it inherits. */
    public CircuitBreakerSettings circuitBreakerOf(String name) {
        return instance(name).circuitBreaker().applyTo(circuitBreaker);
    }

    /** The settings of one operation's retry: its own, and what it inherits. */
    public RetrySettings retryOf(String name) {
        return instance(name).retry().applyTo(retry);
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
