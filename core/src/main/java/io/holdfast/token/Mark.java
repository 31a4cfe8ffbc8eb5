package io.holdfast.token;

import java.util.UUID;

/**
 * Records that one component has completed an event above its segment's position.
 *
 * @param event the event's id; a restored source may have another event at this position
 * @param component the component's stable id
 */
public record Mark(String stream, long position, UUID event, String component) {}
