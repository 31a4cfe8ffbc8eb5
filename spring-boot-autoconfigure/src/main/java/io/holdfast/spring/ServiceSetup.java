package io.holdfast.spring;

import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.spring.properties.HoldfastProperties;

/** Applies the service-wide properties of {@code framework.*} to the service's builder. */
final class ServiceSetup {

    private ServiceSetup() {}

    static void apply(HoldfastProperties properties, HoldfastServiceBuilder service) {
        service.commandTimeout(properties.commands().timeout())
                .outbox(properties.outbox().settings())
                .entryTtl(properties.outbox().entryTtl())
                .receiptTtl(properties.operations().receiptTtl())
                .handlerThreads(properties.handlers().threads())
                .idempotency(properties.idempotency().settings())
                .resilience(properties.resilience().settings());
        HoldfastProperties.Dlq dlq = properties.dlq();
        service.resolvedEntryTtl(dlq.entryTtl());
        service.deadLetters(queues -> {
            queues.maxSequences(dlq.maxSequences())
                    .maxSequenceSize(dlq.maxSequenceSize())
                    .maxWaiting(dlq.maxWaiting());
            if (!dlq.enabled()) {
                queues.disabled();
            }
        });
    }
}
