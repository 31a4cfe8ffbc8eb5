package io.holdfast.saga.orchestration;

import io.holdfast.wire.Announcement;
import io.holdfast.wire.Wire;
import java.util.Optional;
import java.util.Set;

/** Which service owns a stream, as the service directory knows it. Thread-safe. */
final class StreamOwners {

    private final String service;
    private final Set<String> ownedStreams;
    private final Wire wire;

    /** @param ownedStreams the streams of this service */
    StreamOwners(String service, Set<String> ownedStreams, Wire wire) {
        this.service = service;
        this.ownedStreams = ownedStreams;
        this.wire = wire;
    }

    /** Returns the owner; empty if it has not announced itself, or long ago. Never blocks. */
    Optional<String> find(String stream) {
        return ownedStreams.contains(stream)
                ? Optional.of(service)
                : wire.directory().stream()
                        .filter(entry -> entry.streams().contains(stream))
                        .map(Announcement::service)
                        .findFirst();
    }

    /** Returns the owner as operators see it. */
    String describe(String stream) {
        return find(stream).orElse("owner of " + stream);
    }
}
