package io.holdfast.wire;

import io.holdfast.event.StreamPosition;

/**
 * Answers for the streams that a service owns. Called on the wire's threads, by any number of them; each call may come
 * twice, and late.
 */
public interface StreamServer {

    int MAX_PAGE = 1_000;

    StreamPage page(PageRequest request);

    /** Makes a consumer group known before its first read, and says where it starts. */
    StreamPosition register(GroupRegistration registration);

    /** Takes note of how far a group has come. One that is not known is passed over. */
    void report(GroupReport report);
}
