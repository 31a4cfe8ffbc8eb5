package io.holdfast.wire;

import io.holdfast.event.StreamPosition;

/**
 * Reports a consumer group's position to a stream's source, which may then remove older events.
 *
 * @param reached the lowest position of all segments of the group
 */
public record GroupReport(String group, String stream, StreamPosition reached) {}
