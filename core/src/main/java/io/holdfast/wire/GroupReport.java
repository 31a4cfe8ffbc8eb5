package io.holdfast.wire;

import io.holdfast.event.StreamPosition;

/**
 * Tells a stream's source how far a consumer group has come, so that it knows what it may remove.
 *
 * @param reached the lowest position of all segments of the group
 */
public record GroupReport(String group, String stream, StreamPosition reached) {}
