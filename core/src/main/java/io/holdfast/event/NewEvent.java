package io.holdfast.event;

/**
 * An event that somebody wants to happen: not committed, without id, sequence or position.
 *
 * @param payload the content, encoded and within the size limit
 * @param metadata the event's own; what a cause adds is filled in at commit
 */
public record NewEvent(Payload payload, Metadata metadata) {}
