package io.holdfast.outbox;

import io.holdfast.event.StreamPosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of the publisher, as this replica sees it.
 *
 * @param publishing whether this replica has the lease, and so publishes the events of all replicas
 * @param position up to which events are published; null unless this replica publishes
 * @param pending the number of committed events not known to be published, as of a second ago
 * @param oldest when the first event occurred that could not be published; null if none waits for the wire
 * @param failed the number of events that this replica has given up since it started
 * @param problem why publishing fails; null if it does not
 */
public record OutboxStatus(
        boolean publishing,
        @Nullable StreamPosition position,
        long pending,
        @Nullable Instant oldest,
        long failed,
        @Nullable String problem) {}
