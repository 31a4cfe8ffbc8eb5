package io.holdfast.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.resilience.CircuitBreakerOverrides;
import io.holdfast.resilience.CircuitBreakerSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.resilience.RetrySettings;
import io.holdfast.saga.SagaSettings;
import io.holdfast.wire.RecordSigning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

class PropertyBindingTests {

    private final StandardEnvironment environment = new StandardEnvironment();

    @Test
    void reportsEveryInvalidKeyWithItsValueAndTheAllowedOnesAtOnce() {
        assertThatThrownBy(() -> bind(
                        "framework.store=postgres",
                        "framework.outbox.poll-interval=soon",
                        "framework.outbox.max-batch-size=0",
                        "framework.dlq.max-sequences=many",
                        "framework.dlq.max-waiting=0",
                        "framework.dlq.entry-ttl=119m",
                        "framework.dlq.max-replay-attempts=0",
                        "framework.operations.receipt-ttl=1h",
                        "framework.dlq.store=memory",
                        "framework.idempotency.lease=10ms",
                        "framework.idempotency.enabled=perhaps",
                        "framework.resilience.retry.jitter=2",
                        "framework.resilience.retry.max-attempts=x",
                        "framework.resilience.instances.payment.circuit-breaker.failure-rate-threshold=0",
                        "framework.resilience.circuit-breaker.failure-rate-threshold=high",
                        "framework.handlers.threads=0",
                        "framework.processors.billing.segments=5000",
                        "framework.processors.billing.start=yesterday",
                        "framework.processors.billing.handler-timeout=0s",
                        "framework.processors.billing.commit-interval=2s",
                        "framework.processors.billing.dlq.cache.size=-1",
                        "framework.wire.max-event-size=large",
                        "framework.wire.signing=required",
                        "framework.outbox.max-retrys=3",
                        "framework.processors.billing.segmnts=3",
                        "framework.colour=blue",
                        "saga.timeout.enabled=no way",
                        "saga.timeout.check-interval=often",
                        "saga.timeout.default-deadline=0",
                        "saga.timeout.max-batch-size=0",
                        "saga.timeout.max-suspended=-1s",
                        "saga.timeout.saga-types.OrderFulfillment=0s",
                        "saga.timeout.max-suspend=1s",
                        "saga.retention=59m",
                        "saga.retension=7d"))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage(
                        """
                invalid Holdfast properties:
                  framework.store is postgres, but must be one of jdbc, hazelcast, memory
                  framework.outbox.poll-interval is soon, but must be a duration such as 500ms, 10s, 15m or 1h
                  framework.dlq.max-sequences is many, but must be a whole number
                  framework.idempotency.enabled is perhaps, but must be true or false
                  framework.resilience.circuit-breaker.failure-rate-threshold is high, but must be a number
                  framework.resilience.retry.max-attempts is x, but must be a whole number
                  framework.wire.max-event-size is large, but must be a size such as 512B, 256KB or 1MB
                  saga.timeout.enabled is no way, but must be true or false
                  saga.timeout.check-interval is often, but must be a duration such as 500ms, 10s, 15m or 1h
                  framework.dlq.store is memory, but must be jdbc or jpa, because letters commit together with events
                  framework.outbox.max-batch-size is 0, but must be 1 or more
                  framework.dlq.max-replay-attempts is 0, but must be 1 or more
                  framework.dlq.max-waiting is 0, but must be 1 or more
                  framework.dlq.entry-ttl is 119m, but must be 2h or longer: entries must outlive the actions on them
                  framework.operations.receipt-ttl is 1h, but must be 2h or longer, so that a repeated request finds its receipt
                  framework.idempotency.lease is PT0.01S, but must be 1s or more
                  framework.resilience.retry.jitter is 2.0, but must be from 0 to 1
                  framework.resilience.instances.payment.circuit-breaker.failure-rate-threshold is 0.0, but must be above 0\
                 and at most 100
                  framework.handlers.threads is 0, but must be 1 or more
                  framework.processors.billing.segments is 5000, but must be from 1 to 1024
                  framework.processors.billing.start is yesterday, but must be beginning, now or a time such as\
                 2026-01-31T12:00:00Z
                  framework.processors.billing.handler-timeout is 0s, but must be longer than 0
                  framework.processors.billing.commit-interval is 2s, but must be from 0 to 1s
                  framework.processors.billing.dlq.cache.size is -1, but must be 0 or more
                  framework.wire.signing is enabled, but framework.wire.signing-key is not set; give all services the same\
                 secret of at least 16 bytes
                  saga.timeout.default-deadline is PT0S, but must be longer than 0
                  saga.timeout.max-suspended is PT-1S, but must be longer than 0
                  saga.timeout.saga-types.OrderFulfillment is PT0S, but must be longer than 0
                  saga.timeout.max-batch-size is 0, but must be 1 or more
                  saga.retention is PT59M, but must be PT1H or more
                  framework.colour is unknown
                  framework.outbox.max-retrys is unknown; did you mean framework.outbox.max-retries?
                  framework.processors.billing.segmnts is unknown; did you mean\
                 framework.processors.billing.segments?
                  saga.retension is unknown; did you mean saga.retention?
                  saga.timeout.max-suspend is unknown; did you mean saga.timeout.max-suspended?""");
    }

    @Test
    void rejectsUnsupportedStore() {
        assertThatThrownBy(() -> bind("framework.store=hazelcast"))
                .hasMessage("invalid Holdfast properties:\n  framework.store is hazelcast, but must be jdbc or memory;"
                        + " this version has no Hazelcast store");
    }

    @Test
    void bindsConfiguredValues() {
        HoldfastProperties properties = bind(
                "framework.store=memory",
                "framework.outbox.poll-interval=250",
                "framework.outbox.maxRetries=7",
                "framework.hazelcast.members=one:5701,two:5701",
                "framework.processors.billing.batch-size=9",
                "framework.processors.billing.commit-interval=50ms",
                "framework.processors.billing.dlq.enabled=false",
                "framework.wire.max-event-size=1MB",
                "framework.service-version=2.1.0",
                "framework.processors.billing.retires=mail,print",
                "framework.wire.signing=accept-unsigned",
                "framework.wire.signing-key=a secret of some length");

        assertThat(properties.serviceVersion()).isEqualTo("2.1.0");
        assertThat(properties.store()).isEqualTo(StoreKind.MEMORY);
        assertThat(properties.outbox().pollInterval()).isEqualTo(Duration.ofMillis(250));
        assertThat(properties.outbox().maxRetries()).isEqualTo(7);
        assertThat(properties.hazelcast().members()).containsExactly("one:5701", "two:5701");
        assertThat(properties.processors().get("billing"))
                .isEqualTo(new HoldfastProperties.Processor(
                        null,
                        9,
                        null,
                        null,
                        Duration.ofMillis(50),
                        List.of("mail", "print"),
                        new HoldfastProperties.ProcessorDlq(false, new HoldfastProperties.Cache(null))));
        assertThat(properties.wire().maxEventSize()).isEqualTo(DataSize.ofMegabytes(1));
        assertThat(properties.wire().signing()).isEqualTo(RecordSigning.Mode.ACCEPT_UNSIGNED);
    }

    @Test
    void bindsSettingsOfSagas() {
        SagaSettings settings = bindAll(
                        "saga.timeout.enabled=false",
                        "saga.timeout.check-interval=250",
                        "saga.timeout.default-deadline=20s",
                        "saga.timeout.auto-compensate=false",
                        "saga.timeout.max-batch-size=7",
                        "saga.timeout.saga-types.OrderFulfillment=60000",
                        "saga.timeout.max-suspended=2h",
                        "saga.retention=30d")
                .saga()
                .settings();

        assertThat(settings)
                .isEqualTo(new SagaSettings(
                        false,
                        Duration.ofMillis(250),
                        Duration.ofSeconds(20),
                        false,
                        7,
                        Map.of("OrderFulfillment", Duration.ofMinutes(1)),
                        Duration.ofHours(2),
                        Duration.ofDays(30)));
    }

    @Test
    void leavesOtherPropertiesOfSagasToTheApplication() {
        assertThatCode(() -> bindAll("saga.colour=blue", "saga.export.timeout=3s", "saga.timeout.mine.colour=blue"))
                .doesNotThrowAnyException();
    }

    @Test
    void inheritsSettingsThatAnInstanceDoesNotSet() {
        ResilienceSettings settings = bind(
                        "framework.resilience.retry.wait-duration=2s",
                        "framework.resilience.instances.payment.retry.max-attempts=1",
                        "framework.resilience.instances.refund.circuit-breaker.sliding-window-size=7")
                .resilience()
                .settings();

        RetrySettings retry =
                RetryOverrides.NONE.waitDuration(Duration.ofSeconds(2)).applyTo(RetrySettings.DEFAULT);
        assertThat(settings.retryOf("payment"))
                .isEqualTo(RetryOverrides.NONE.maxAttempts(1).applyTo(retry));
        assertThat(settings.circuitBreakerOf("payment")).isEqualTo(CircuitBreakerSettings.DEFAULT);
        assertThat(settings.retryOf("refund")).isEqualTo(retry);
        assertThat(settings.circuitBreakerOf("refund"))
                .isEqualTo(CircuitBreakerOverrides.NONE
                        .slidingWindow(CircuitBreakerSettings.DEFAULT_SLIDING_WINDOW_TYPE, 7)
                        .applyTo(CircuitBreakerSettings.DEFAULT));
    }

    @Test
    void bindsEnvironmentVariablesAndIgnoresUnknownOnes() {
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-systemEnvironment",
                        Map.of("FRAMEWORK_OUTBOX_POLLINTERVAL", "3s", "FRAMEWORK_OF_ANOTHER_APPLICATION", "x")));

        assertThat(bind().outbox().pollInterval()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void warnsAboutKeysThatAreNotSupportedYet(CapturedOutput output) {
        bind(
                "framework.dlq.auto-replay.enabled=true",
                "framework.security.mode=open",
                "framework.fault-injection.enabled=true",
                "framework.mine.colour=blue");

        assertThat(output)
                .contains("This version does not support [framework.dlq.auto-replay.enabled, framework.security.mode]"
                        + " yet; these properties have no effect");
    }

    @Test
    void neverShowsASigningKey() {
        assertThatThrownBy(() -> bind("framework.wire.signing=required", "framework.wire.signing-key=first:hush"))
                .hasMessage("invalid Holdfast properties:\n"
                        + "  key first for signing records has 4 bytes; it needs at least 16");
    }

    private HoldfastProperties bind(String... pairs) {
        return bindAll(pairs).framework();
    }

    private BoundProperties bindAll(String... pairs) {
        TestPropertyValues.of(pairs).applyTo(environment);
        return new PropertyBinding(environment, Set.of("framework.mine", "saga.timeout.mine")).bind();
    }
}
