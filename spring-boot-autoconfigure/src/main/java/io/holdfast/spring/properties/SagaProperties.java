package io.holdfast.spring.properties;

import io.holdfast.saga.SagaSettings;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code saga.*} of a service. Defaults equal {@link SagaSettings#DEFAULT}; a test compares them.
 *
 * @param timeout timeouts of sagas
 * @param retention how long ended sagas are kept, at least 1h; sagas that need an operator's attention stay
 */
@ConfigurationProperties("saga")
public record SagaProperties(@DefaultValue Timeout timeout, @DefaultValue("7d") Duration retention) {

    /** @throws io.holdfast.InvalidSettingsException naming every invalid value */
    public SagaSettings settings() {
        return new SagaSettings(
                timeout.enabled,
                timeout.checkInterval,
                timeout.defaultDeadline,
                timeout.autoCompensate,
                timeout.maxBatchSize,
                timeout.sagaTypes,
                timeout.maxSuspended,
                retention);
    }

    /**
     * Timeouts of sagas.
     *
     * @param enabled whether sagas time out
     * @param checkInterval maximum time between two checks for sagas whose deadline has passed; a plain number is
     *     milliseconds
     * @param defaultDeadline how long a saga may take, unless its type has a deadline of its own
     * @param autoCompensate whether a saga that times out is compensated; if not, it waits for an operator as TIMED_OUT
     * @param maxBatchSize maximum sagas per check
     * @param sagaTypes how long sagas may take, by saga type; takes precedence over the type's declaration
     * @param maxSuspended how long a parked event may suspend the deadline of its saga
     */
    public record Timeout(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("5s") Duration checkInterval,
            @DefaultValue("30s") Duration defaultDeadline,
            @DefaultValue("true") boolean autoCompensate,
            @DefaultValue("100") int maxBatchSize,
            @DefaultValue Map<String, Duration> sagaTypes,
            @DefaultValue("24h") Duration maxSuspended) {}
}
