package io.holdfast.jdbc;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events with their places, and what they move.
 *
 * @param streamHeads the heads of the streams that have got events
 * @param outbox whether the streams belong to the outbox
 * @param from the head of the log before them
 * @param placedAt when outbox entries were given their positions; null for sourced events
 */
record PositionedEvents(
        List<EventMessage> events,
        Collection<StreamHead> streamHeads,
        boolean outbox,
        LogHead from,
        @Nullable Instant placedAt) {

    @Nullable
    OffsetDateTime placedAtTimestamp() {
        return placedAt == null ? null : EventColumns.timestamp(placedAt);
    }
}
