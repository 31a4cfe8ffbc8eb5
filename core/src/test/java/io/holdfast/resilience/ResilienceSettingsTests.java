package io.holdfast.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.retry.RetryConfig;
import io.holdfast.PermanentException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResilienceSettingsTests {

    private static final String NAME = ResilienceFixture.NAME;

    /** A non-default value for every field. */
    private static final Map<String, Object> OWN = Map.ofEntries(
            Map.entry("failureRateThreshold", 40.0),
            Map.entry("waitDurationInOpenState", Duration.ofSeconds(5)),
            Map.entry("slidingWindowSize", 20),
            Map.entry("slidingWindowType", SlidingWindowType.TIME_BASED),
            Map.entry("minimumNumberOfCalls", 7),
            Map.entry("permittedNumberOfCallsInHalfOpenState", 4),
            Map.entry("recordNonRetryable", true),
            Map.entry("slowCallDurationThreshold", Duration.ofSeconds(2)),
            Map.entry("slowCallRateThreshold", 30.0),
            Map.entry("maxAttempts", 2),
            Map.entry("waitDuration", Duration.ofSeconds(1)),
            Map.entry("enableExponentialBackoff", false),
            Map.entry("exponentialBackoffMultiplier", 3.0),
            Map.entry("jitter", 0.0));

    static Stream<String> breakerFields() {
        return fields(CircuitBreakerSettings.class);
    }

    static Stream<String> retryFields() {
        return fields(RetrySettings.class);
    }

    @ParameterizedTest
    @MethodSource("breakerFields")
    void breakerOverridesOneValueAndInheritsOthers(String field) throws ReflectiveOperationException {
        ResilienceSettings settings = withBreaker(only(CircuitBreakerOverrides.class, field));

        assertOnly(field, settings.circuitBreakerOf(NAME), CircuitBreakerSettings.DEFAULT);
        assertThat(settings.circuitBreakerOf("other")).isEqualTo(CircuitBreakerSettings.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("retryFields")
    void retryOverridesOneValueAndInheritsOthers(String field) throws ReflectiveOperationException {
        ResilienceSettings settings = withRetry(only(RetryOverrides.class, field));

        assertOnly(field, settings.retryOf(NAME), RetrySettings.DEFAULT);
        assertThat(settings.retryOf("other")).isEqualTo(RetrySettings.DEFAULT);
    }

    @Test
    void instanceOverridesOwnSettingsAndTheseOverrideTheService() {
        ResilienceSettings settings = withRetry(RetryOverrides.NONE.maxAttempts(2))
                .retry(RetryOverrides.NONE.jitter(0).maxAttempts(9).waitDuration(Duration.ofSeconds(9)));

        RetrySettings resolved =
                settings.retryOf(NAME, RetryOverrides.NONE.maxAttempts(4).waitDuration(Duration.ofSeconds(4)));

        assertThat(resolved.maxAttempts()).isEqualTo(2);
        assertThat(resolved.waitDuration()).isEqualTo(Duration.ofSeconds(4));
        assertThat(resolved.jitter()).isZero();
    }

    /** Operations inherit the service's settings, not Holdfast's defaults. */
    @Test
    void inheritsSettingsOfService() {
        ResilienceSettings settings = withRetry(RetryOverrides.NONE.maxAttempts(2))
                .retry(RetryOverrides.NONE.jitter(0).maxAttempts(9))
                .circuitBreaker(CircuitBreakerOverrides.NONE.failureRateThreshold(70));

        assertThat(settings.retryOf(NAME).maxAttempts()).isEqualTo(2);
        assertThat(settings.retryOf(NAME).jitter()).isZero();
        assertThat(settings.circuitBreakerOf(NAME).failureRateThreshold()).isEqualTo(70);
    }

    @ParameterizedTest
    @MethodSource("breakerFields")
    void appliesOverriddenValueToBreaker(String field) throws ReflectiveOperationException {
        List<Object> own = applied(withBreaker(only(CircuitBreakerOverrides.class, field)));
        List<Object> inherited = applied(ResilienceSettings.DEFAULT);

        int place = breakerFields().toList().indexOf(field);
        assertThat(own.get(place)).isEqualTo(OWN.get(field));
        for (int other = 0; other < own.size(); other++) {
            if (other != place) {
                assertThat(own.get(other)).isEqualTo(inherited.get(other));
            }
        }
    }

    @Test
    void appliesOverriddenValuesToRetry() {
        assertThat(waits(RetryOverrides.NONE.jitter(0))).containsExactly(500L, 1000L);
        assertThat(waits(RetryOverrides.NONE.jitter(0).maxAttempts(2))).containsExactly(500L);
        assertThat(waits(RetryOverrides.NONE.jitter(0).waitDuration(Duration.ofSeconds(1))))
                .containsExactly(1000L, 2000L);
        assertThat(waits(RetryOverrides.NONE.jitter(0).enableExponentialBackoff(false)))
                .containsExactly(500L, 500L);
        assertThat(waits(RetryOverrides.NONE.jitter(0).exponentialBackoffMultiplier(3)))
                .containsExactly(500L, 1500L);
    }

    @Test
    void createsConfiguredOperationsAtStartup() {
        ResilienceFixture bench = new ResilienceFixture(withRetry(RetryOverrides.NONE.maxAttempts(2)));

        assertThat(bench.invoker.circuitBreakers().find(NAME)).isPresent();
        assertThat(bench.invoker.retries().find(NAME))
                .get()
                .extracting(retry -> retry.getRetryConfig().getMaxAttempts())
                .isEqualTo(2);
    }

    @Test
    void reportsAllInvalidValuesTogether() {
        CircuitBreakerOverrides breaker = new CircuitBreakerOverrides(
                100.5, Duration.ZERO, 0, SlidingWindowType.COUNT_BASED, 0, -1, true, Duration.ofSeconds(-1), 0.0);
        RetryOverrides retry = new RetryOverrides(0, Duration.ofMillis(-1), true, 0.5, 1.5);

        assertThatThrownBy(() -> new ResilienceSettings(
                        true,
                        breaker.applyTo(CircuitBreakerSettings.DEFAULT),
                        retry.applyTo(RetrySettings.DEFAULT),
                        ResilienceSettings.DEFAULT_MAX_HOLD,
                        Map.of(NAME, new InstanceOverrides(breaker, retry))))
                .isInstanceOf(PermanentException.class)
                .hasMessage("invalid settings: "
                        + wrongUnder("framework.resilience.")
                        + "; "
                        + wrongUnder("framework.resilience.instances.payment-processing."));
    }

    @Test
    void rejectsNonFiniteValues() {
        assertThatThrownBy(() -> ResilienceSettings.DEFAULT.circuitBreaker(
                        CircuitBreakerOverrides.NONE.failureRateThreshold(Double.NaN)))
                .hasMessageContaining("failure-rate-threshold is NaN");
        assertThatThrownBy(() -> ResilienceSettings.DEFAULT.retry(
                        RetryOverrides.NONE.exponentialBackoffMultiplier(Double.POSITIVE_INFINITY)))
                .hasMessageContaining("exponential-backoff-multiplier is Infinity");
    }

    private static String wrongUnder(String prefix) {
        return Stream.of(
                        "circuit-breaker.failure-rate-threshold is 100.5, but must be above 0 and at most 100",
                        "circuit-breaker.wait-duration-in-open-state is PT0S, but must be 1ms or more",
                        "circuit-breaker.sliding-window-size is 0, but must be 1 or more",
                        "circuit-breaker.minimum-number-of-calls is 0, but must be 1 or more",
                        "circuit-breaker.permitted-number-of-calls-in-half-open-state is -1, but must be 1 or more",
                        "circuit-breaker.slow-call-duration-threshold is PT-1S, but must be 0 (off), or 1ms or more",
                        "circuit-breaker.slow-call-rate-threshold is 0.0, but must be above 0 and at most 100",
                        "retry.max-attempts is 0, but must be 1 or more, the first included",
                        "retry.wait-duration is PT-0.001S, but must be from 0 to 1h",
                        "retry.exponential-backoff-multiplier is 0.5, but must be 1 or more",
                        "retry.jitter is 1.5, but must be from 0 to 1")
                .map(prefix::concat)
                .collect(java.util.stream.Collectors.joining("; "));
    }

    private static ResilienceSettings withBreaker(CircuitBreakerOverrides overrides) {
        return ResilienceSettings.DEFAULT.instance(NAME, InstanceOverrides.NONE.circuitBreaker(overrides));
    }

    private static ResilienceSettings withRetry(RetryOverrides overrides) {
        return ResilienceSettings.DEFAULT.instance(NAME, InstanceOverrides.NONE.retry(overrides));
    }

    /** Returns Resilience4j's effective values, in the order of the settings' fields. */
    private static List<Object> applied(ResilienceSettings settings) {
        ResilienceFixture bench = new ResilienceFixture(settings);
        bench.succeed();
        CircuitBreakerConfig config = bench.breaker().getCircuitBreakerConfig();
        return List.of(
                (double) config.getFailureRateThreshold(),
                Duration.ofMillis(config.getWaitIntervalFunctionInOpenState().apply(1)),
                config.getSlidingWindowSize(),
                SlidingWindowType.valueOf(config.getSlidingWindowType().name()),
                config.getMinimumNumberOfCalls(),
                config.getPermittedNumberOfCallsInHalfOpenState(),
                !config.getIgnoreExceptionPredicate().test(new ResilienceFixture.Declined()),
                config.getSlowCallDurationThreshold(),
                (double) config.getSlowCallRateThreshold());
    }

    private static List<Long> waits(RetryOverrides overrides) {
        ResilienceFixture bench = new ResilienceFixture(withRetry(overrides));
        bench.fail();
        RetryConfig config = bench.invoker.retries().retry(NAME).getRetryConfig();
        assertThat(bench.calls).isEqualTo(config.getMaxAttempts());
        return bench.timer.waits().stream().map(Duration::toMillis).toList();
    }

    private static Stream<String> fields(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
    }

    private static <T extends Record> T only(Class<T> type, String field) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = Arrays.stream(components)
                .map(component -> component.getName().equals(field) ? OWN.get(field) : null)
                .toArray();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    private static void assertOnly(String field, Record settings, Record defaults) throws ReflectiveOperationException {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object inherited = component.getAccessor().invoke(defaults);
            Object value = component.getAccessor().invoke(settings);
            if (component.getName().equals(field)) {
                assertThat(value).isEqualTo(OWN.get(field)).isNotEqualTo(inherited);
            } else {
                assertThat(value).as(component.getName()).isEqualTo(inherited);
            }
        }
    }
}
