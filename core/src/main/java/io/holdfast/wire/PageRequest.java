package io.holdfast.wire;

/**
 * Asks for the events of a stream at positions above {@code after}.
 *
 * @param limit at most this many; the source may give fewer
 */
public record PageRequest(String stream, long after, int limit) {}
