package io.holdfast.wire;

/**
 * Requests the events of a stream at positions above {@code after}.
 *
 * @param limit the maximum number of events; the source may return fewer
 */
public record PageRequest(String stream, long after, int limit) {}
