package io.holdfast.event;

import java.time.Instant;
import java.util.UUID;

/**
 * A committed event: what happened, to which aggregate, and where it stands in its service's log.
 *
 * <p>The payload stays encoded until somebody asks for it, so that an event whose class is unknown here can still be
 * parked, shown and passed on.
 *
 * @param id unique for ever; derived from the cause where there is one, see {@link EventIds}
 * @param source the service that owns the stream
 * @param stream what the event belongs to, for example {@code orders}; owned by exactly one service
 * @param key the aggregate's id within the stream
 * @param version 1, 2, 3, … within the key, without a gap
 * @param occurredAt when it was decided
 * @param metadata who caused it, which saga it is part of
 * @param payload the content, as JSON with a type name
 * @param logPosition where it stands in the log
 */
public record EventMessage(
        UUID id,
        String source,
        String stream,
        String key,
        long version,
        Instant occurredAt,
        Metadata metadata,
        Payload payload,
        LogPosition logPosition) {

    /** The name of what happened, for example {@code OrderCreated}. */
    public String type() {
        return payload.type();
    }

    /** The event's position in its service's log. */
    public long position() {
        return logPosition.position();
    }

    /** The same event, its payload left out. */
    public EventMessage withoutContent() {
        return new EventMessage(
                id, source, stream, key, version, occurredAt, metadata, payload.withoutContent(), logPosition);
    }

    /** The same event at another place. */
    public EventMessage at(LogPosition newPlace) {
        return new EventMessage(id, source, stream, key, version, occurredAt, metadata, payload, newPlace);
    }

    /** Where a reader stands that has dealt with this event. */
    public StreamPosition streamPosition() {
        return new StreamPosition(logPosition.log(), logPosition.position(), id);
    }
}
