package io.holdfast.wire;

import io.holdfast.event.StreamPosition;
import org.jspecify.annotations.Nullable;

/**
 * Reports a consumer group's position to a stream's source, which may then remove older events.
 *
 * @param start where the group started; null if an earlier release has not stored it
 * @param reached the lowest position of all segments of the group
 */
public record GroupReport(String group, String stream, @Nullable StreamPosition start, StreamPosition reached) {}
