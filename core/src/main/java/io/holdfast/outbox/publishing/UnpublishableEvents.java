package io.holdfast.outbox.publishing;

import io.holdfast.event.EventMessage;
import io.holdfast.wire.UnpublishableEventException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks events that the wire cannot carry. After the last retry, a record without payload replaces such an event in
 * its stream. It does not block later events, and its consumers see that it exists. Not thread-safe.
 */
final class UnpublishableEvents {

    private static final Logger log = LoggerFactory.getLogger(UnpublishableEvents.class);

    private final int maxRetries;
    private final Map<UUID, Integer> attempts = new HashMap<>();
    private final Set<UUID> givenUp = new HashSet<>();

    UnpublishableEvents(int maxRetries) {
        this.maxRetries = maxRetries;
    }

    /** @return whether the event was given up */
    boolean recordFailure(UnpublishableEventException failure) {
        if (attempts.merge(failure.event(), 1, Integer::sum) <= maxRetries) {
            return false;
        }
        log.error(
                "Event {} cannot be published after {} attempts; a record without its payload replaces it, and its"
                        + " consumers park it: {}",
                failure.event(),
                maxRetries + 1,
                failure.getMessage());
        return givenUp.add(failure.event());
    }

    /** Returns the events, without the payloads of those that were given up. */
    List<EventMessage> stripGivenUp(List<EventMessage> events) {
        return givenUp.isEmpty()
                ? events
                : events.stream()
                        .map(event -> givenUp.contains(event.id()) ? event.withoutContent() : event)
                        .toList();
    }

    void recordPublished(List<EventMessage> events) {
        if (!attempts.isEmpty()) {
            events.forEach(event -> {
                attempts.remove(event.id());
                givenUp.remove(event.id());
            });
        }
    }
}
