package io.holdfast.jdbc;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events with their positions, and the heads that they advance.
 *
 * @param streamHeads the new heads of the streams that received events
 * @param outbox whether the streams are outbox streams
 * @param from the head of the log before these events
 * @param positionedAt when outbox entries got their positions; null for events of event-sourced streams
 */
record PositionedEvents(
        List<EventMessage> events,
        Collection<StreamHead> streamHeads,
        boolean outbox,
        LogHead from,
        @Nullable Instant positionedAt) {

    @Nullable
    OffsetDateTime positionedAtTimestamp() {
        return positionedAt == null ? null : EventColumns.timestamp(positionedAt);
    }
}
