package io.holdfast.wire;

import io.holdfast.event.StreamPosition;

/**
 * Serves the streams that a service owns. Called concurrently on the wire's threads. Each call may be repeated and
 * may arrive late, so implementations are idempotent.
 */
public interface StreamServer {

    int MAX_PAGE = 1_000;

    StreamPage page(PageRequest request);

    /** Registers a consumer group before its first read and returns its start. */
    StreamPosition register(GroupRegistration registration);

    /** Stores the position of a group. A group that is unknown is registered again, with the start that it reports. */
    void report(GroupReport report);
}
