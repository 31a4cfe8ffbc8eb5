package io.holdfast.wire;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Resolves a start to a position. */
final class StreamStart {

    private StreamStart() {}

    static StreamPosition resolve(EventLog log, String stream, StartAt start) {
        StreamHead head = log.head(stream);
        if (start.from() == StartAt.From.NOW) {
            return head.streamPosition();
        }
        List<EventMessage> first = log.readStream(stream, 0, 1);
        if (first.isEmpty()) {
            return head.streamPosition();
        }
        return start.from() == StartAt.From.BEGINNING
                ? before(first.get(0))
                : atTime(log, stream, first.get(0), head, Objects.requireNonNull(start.time()));
    }

    /** Binary search between an event that is too early and one that is not. */
    private static StreamPosition atTime(
            EventLog log, String stream, EventMessage first, StreamHead head, Instant time) {
        if (!first.occurredAt().isBefore(time)) {
            return before(first);
        }
        EventMessage early = first;
        long end = head.position();
        while (early.position() < end) {
            long middle = early.position() + (end - early.position()) / 2;
            List<EventMessage> next = log.readStream(stream, middle, 1);
            if (!next.isEmpty()
                    && next.get(0).position() <= end
                    && next.get(0).occurredAt().isBefore(time)) {
                early = next.get(0);
            } else {
                end = middle;
            }
        }
        return early.streamPosition();
    }

    private static StreamPosition before(EventMessage event) {
        LogPosition position = event.logPosition();
        return new StreamPosition(position.log(), position.previousPosition(), position.previousId());
    }
}
