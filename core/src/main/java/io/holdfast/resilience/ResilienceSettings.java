package io.holdfast.resilience;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How operations are carried out: {@code framework.resilience.*}.
 *
 * @param enabled false: operations are called directly, without retry and breaker
 * @param circuitBreaker what every operation's breaker has unless it has its own
 * @param retry what every operation's retry has unless it has its own
 * @param instances by the name of the operation, what it has different
 */
public record ResilienceSettings(
        boolean enabled,
        CircuitBreakerSettings circuitBreaker,
        RetrySettings retry,
        Map<String, InstanceOverrides> instances) {

    public static final boolean DEFAULT_ENABLED = true;

    public static final ResilienceSettings DEFAULT =
            new ResilienceSettings(DEFAULT_ENABLED, CircuitBreakerSettings.DEFAULT, RetrySettings.DEFAULT, Map.of());

    private static final String PREFIX = "framework.resilience.";

    /** @throws PermanentException that names every wrong property, its value and what is allowed */
    public ResilienceSettings {
        instances = Collections.unmodifiableMap(new LinkedHashMap<>(instances));
        WrongValues wrong = new WrongValues();
        CircuitBreakerOverrides.all(circuitBreaker).check(PREFIX + "circuit-breaker.", wrong);
        RetryOverrides.all(retry).check(PREFIX + "retry.", wrong);
        instances.forEach((name, own) -> {
            Names.require("name of operation", name);
            own.circuitBreaker().check(PREFIX + "instances." + name + ".circuit-breaker.", wrong);
            own.retry().check(PREFIX + "instances." + name + ".retry.", wrong);
        });
        wrong.throwIfAny();
    }

    /** The settings of one operation's breaker: its own, and what it inherits. */
    public CircuitBreakerSettings circuitBreakerOf(String name) {
        return instance(name).circuitBreaker().over(circuitBreaker);
    }

    /** The settings of one operation's retry: its own, and what it inherits. */
    public RetrySettings retryOf(String name) {
        return instance(name).retry().over(retry);
    }

    public ResilienceSettings enabled(boolean on) {
        return new ResilienceSettings(on, circuitBreaker, retry, instances);
    }

    public ResilienceSettings circuitBreaker(CircuitBreakerOverrides overrides) {
        return new ResilienceSettings(enabled, overrides.over(circuitBreaker), retry, instances);
    }

    public ResilienceSettings retry(RetryOverrides overrides) {
        return new ResilienceSettings(enabled, circuitBreaker, overrides.over(retry), instances);
    }

    public ResilienceSettings instance(String name, InstanceOverrides overrides) {
        Map<String, InstanceOverrides> more = new LinkedHashMap<>(instances);
        more.put(name, overrides);
        return new ResilienceSettings(enabled, circuitBreaker, retry, more);
    }

    private InstanceOverrides instance(String name) {
        return instances.getOrDefault(name, InstanceOverrides.NONE);
    }
}
