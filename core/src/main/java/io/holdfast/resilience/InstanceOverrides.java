package io.holdfast.resilience;

/** Settings of one operation that override the defaults: {@code framework.resilience.instances.<name>.*}. */
public record InstanceOverrides(CircuitBreakerOverrides circuitBreaker, RetryOverrides retry) {

    public static final InstanceOverrides NONE =
            new InstanceOverrides(CircuitBreakerOverrides.NONE, RetryOverrides.NONE);

    public InstanceOverrides circuitBreaker(CircuitBreakerOverrides overrides) {
        return new InstanceOverrides(overrides, retry);
    }

    public InstanceOverrides retry(RetryOverrides overrides) {
        return new InstanceOverrides(circuitBreaker, overrides);
    }
}
