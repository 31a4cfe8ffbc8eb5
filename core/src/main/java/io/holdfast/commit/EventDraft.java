package io.holdfast.commit;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.time.Instant;
import java.util.UUID;

/** A decided event: all of it but its place, which is given while the head is held. */
public record EventDraft(
        UUID id,
        String source,
        AggregateKey key,
        long version,
        Instant occurredAt,
        Metadata metadata,
        Payload payload) {

    public EventMessage at(LogPosition place) {
        return new EventMessage(id, source, key.stream(), key.key(), version, occurredAt, metadata, payload, place);
    }
}
