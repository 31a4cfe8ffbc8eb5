package io.holdfast.event;

import java.time.Instant;
import java.util.UUID;

/**
 * An immutable, committed event: what happened, to which aggregate, and its position in the service's log.
 *
 * <p>The payload is decoded late, so that an event whose class is unknown here can still be parked, displayed and
 * forwarded.
 *
 * @param id unique; derived from the cause if there is one, see {@link EventIds}
 * @param source the service that owns the stream
 * @param stream the stream, for example {@code orders}; owned by exactly one service
 * @param key the aggregate's id within the stream
 * @param version 1, 2, 3, … within the key, without gaps
 * @param occurredAt when it was decided
 * @param metadata its cause, its saga and custom strings
 * @param payload the content, as JSON with a type name
 * @param logPosition its position in the log and its predecessor in the stream
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

    /** Returns the event type, for example {@code OrderCreated}. */
    public String type() {
        return payload.type();
    }

    /** Returns the event's position in its service's log. */
    public long position() {
        return logPosition.position();
    }

    /** Returns the same event with another content of its payload. */
    public EventMessage withJson(String json) {
        Payload changed = new Payload(payload.type(), payload.revision(), json);
        return new EventMessage(id, source, stream, key, version, occurredAt, metadata, changed, logPosition);
    }

    /** Returns the same event without its payload's content. */
    public EventMessage withoutContent() {
        return new EventMessage(
                id, source, stream, key, version, occurredAt, metadata, payload.withoutContent(), logPosition);
    }

    /** Returns the same event at another position. */
    public EventMessage at(LogPosition newPosition) {
        return new EventMessage(id, source, stream, key, version, occurredAt, metadata, payload, newPosition);
    }

    /** Returns the position of a reader that has processed this event. */
    public StreamPosition streamPosition() {
        return new StreamPosition(logPosition.log(), logPosition.position(), id);
    }
}
