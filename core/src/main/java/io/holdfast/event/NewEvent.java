package io.holdfast.event;

/**
 * An event before its commit, without id, version or position.
 *
 * @param payload the content, encoded and within the size limit; every store must return it unchanged, see
 *     {@link Payload#requireStorable}
 * @param metadata the event's own; the commit adds what it inherits from its cause
 */
public record NewEvent(Payload payload, Metadata metadata) {

    public NewEvent {
        payload.requireStorable();
    }
}
