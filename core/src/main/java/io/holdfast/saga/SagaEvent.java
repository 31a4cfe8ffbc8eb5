package io.holdfast.saga;

import io.holdfast.event.EventMessage;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a saga records of an event.
 *
 * @param sagaId the saga that the event belongs to
 * @param type the event type
 * @param id the id of the event
 * @param key the aggregate key of the event
 * @param correlationId the id that all events of one conversation share, or null
 * @param at when the event occurred
 * @param reason the cause that the event names, or null
 */
public record SagaEvent(
        String sagaId,
        String type,
        UUID id,
        String key,
        @Nullable String correlationId,
        Instant at,
        @Nullable String reason) {

    /**
     * @param event an event that carries a saga id
     * @param reason the cause that the event names, or null
     */
    public static SagaEvent of(EventMessage event, @Nullable String reason) {
        return new SagaEvent(
                event.metadata().sagaId().orElseThrow(),
                event.type(),
                event.id(),
                event.key(),
                event.metadata().correlationId().orElse(null),
                event.occurredAt(),
                reason);
    }

    SagaFact fact() {
        return new SagaFact(type, id, at, reason);
    }
}
