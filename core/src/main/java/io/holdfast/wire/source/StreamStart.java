package io.holdfast.wire.source;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StartAt;
import java.util.Objects;
import java.util.Optional;

/** Resolves a start to a position. */
final class StreamStart {

    private StreamStart() {}

    static StreamPosition resolve(EventLog log, String stream, StartAt start) {
        StreamHead head = log.head(stream); // before the search: later events are read in any case
        return firstWanted(log, stream, start).map(StreamStart::before).orElse(head.streamPosition());
    }

    private static Optional<EventMessage> firstWanted(EventLog log, String stream, StartAt start) {
        return switch (start.from()) {
            case NOW -> Optional.empty();
            case BEGINNING -> log.readStream(stream, 0, 1).stream().findFirst();
            case TIME -> log.findFirst(stream, Objects.requireNonNull(start.time()));
        };
    }

    private static StreamPosition before(EventMessage event) {
        LogPosition position = event.logPosition();
        return new StreamPosition(position.log(), position.previousPosition(), position.previousId());
    }
}
