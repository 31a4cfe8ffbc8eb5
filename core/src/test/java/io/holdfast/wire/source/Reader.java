package io.holdfast.wire.source;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StartAt;
import java.util.ArrayList;
import java.util.List;

/** A consumer of one stream that keeps its position, as a processor does. */
final class Reader {

    private final StreamSource source;
    private final String stream;
    private StreamPosition reached;

    Reader(StreamSource source, String stream, StreamPosition start) {
        this.source = source;
        this.stream = stream;
        this.reached = start;
    }

    static Reader from(StreamSource source, String stream, StartAt start) {
        return new Reader(source, stream, source.start(stream, start).orElseThrow());
    }

    /** Reads until two reads in a row are empty. */
    List<EventMessage> readAll() {
        List<EventMessage> events = new ArrayList<>();
        for (int empty = 0; empty < 2; ) {
            List<EventMessage> next = read(3);
            events.addAll(next);
            empty = next.isEmpty() ? empty + 1 : 0;
        }
        return events;
    }

    List<EventMessage> read(int limit) {
        List<EventMessage> events = source.read(stream, reached, limit);
        if (!events.isEmpty()) {
            reached = events.get(events.size() - 1).streamPosition();
        }
        return events;
    }

    void seek(StreamPosition position) {
        reached = position;
    }

    StreamPosition reached() {
        return reached;
    }
}
