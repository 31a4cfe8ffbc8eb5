package io.holdfast.spring;

import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.service.HoldfastServiceBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code framework.*} says of the whole service, said to its builder. */
final class ServiceSetup {

    private ServiceSetup() {}

    static void apply(HoldfastProperties properties, HoldfastServiceBuilder service) {
        HoldfastProperties.Outbox outbox = properties.outbox();
        HoldfastProperties.Idempotency idempotency = properties.idempotency();
        service.outbox(new OutboxSettings(
                        outbox.maxBatchSize(), outbox.pollInterval(), outbox.maxRetries(), outbox.enabled()))
                .entryTtl(outbox.entryTtl())
                .idempotency(new IdempotencySettings(idempotency.enabled(), idempotency.ttl(), idempotency.lease()))
                .resilience(resilience(properties.resilience()));
        HoldfastProperties.Dlq dlq = properties.dlq();
        service.deadLetters(queues -> {
            queues.maxSequences(dlq.maxSequences())
                    .maxSequenceSize(dlq.maxSequenceSize())
                    .maxWaiting(dlq.maxWaiting());
            if (!dlq.enabled()) {
                queues.disabled();
            }
        });
    }

    static ResilienceSettings resilience(HoldfastProperties.Resilience said) {
        Map<String, InstanceOverrides> instances = new LinkedHashMap<>();
        said.instances()
                .forEach((name, instance) -> instances.put(
                        name,
                        new InstanceOverrides(
                                instance.circuitBreaker().overrides(),
                                instance.retry().overrides())));
        return new ResilienceSettings(
                said.enabled(), said.circuitBreaker().settings(), said.retry().settings(), said.maxHold(), instances);
    }
}
