package io.holdfast.commit;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.time.Instant;
import java.util.UUID;

/** A decided event, complete except for its position, which is assigned under the head lock. */
public record EventDraft(
        UUID id,
        String source,
        AggregateKey key,
        long version,
        Instant occurredAt,
        Metadata metadata,
        Payload payload) {

    public EventMessage at(LogPosition position) {
        return new EventMessage(id, source, key.stream(), key.key(), version, occurredAt, metadata, payload, position);
    }
}
