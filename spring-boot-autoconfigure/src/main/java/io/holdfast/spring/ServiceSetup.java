package io.holdfast.spring;

import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.service.HoldfastServiceBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applies the service-wide properties of {@code framework.*} to the service's builder. */
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

    static ResilienceSettings resilience(HoldfastProperties.Resilience properties) {
        Map<String, InstanceOverrides> instances = new LinkedHashMap<>();
        properties.instances().forEach((name, instance) -> instances.put(name, instance.overrides()));
        return new ResilienceSettings(
                properties.enabled(),
                properties.circuitBreaker().settings(),
                properties.retry().settings(),
                properties.maxHold(),
                instances);
    }
}
