package io.holdfast.wire;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.List;
import java.util.Optional;

/** Streams of one's own service, read from the log, never over the wire. */
public final class LogStreamSource implements StreamSource {

    private final EventLog log;

    public LogStreamSource(EventLog log) {
        this.log = log;
    }

    @Override
    public Optional<StreamPosition> start(String stream, StartAt start) {
        StreamHead head = log.head(stream);
        return Optional.of(StreamChain.start(head, log.readStream(stream, 0, 1), start));
    }

    @Override
    public List<EventMessage> read(String stream, StreamPosition after, int limit) {
        StreamChain.checkSameLog(stream, after, log.identity());
        List<EventMessage> events = log.readStream(stream, after.position(), limit);
        return events.isEmpty() ? readBelowHead(stream, after, limit) : StreamChain.following(stream, after, events);
    }

    /** Nothing was there: either there is nothing yet, or it came just now, or it is gone. */
    private List<EventMessage> readBelowHead(String stream, StreamPosition after, int limit) {
        StreamHead head = log.head(stream);
        List<EventMessage> events =
                head.position() > after.position() ? log.readStream(stream, after.position(), limit) : List.of();
        return StreamChain.following(stream, after, head, events);
    }
}
