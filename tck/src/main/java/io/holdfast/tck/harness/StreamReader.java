package io.holdfast.tck.harness;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.service.Store;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.LogStreamServer;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.WireStreamSource;
import java.util.List;
import java.util.Optional;

/** Reads streams as one consumer group, in the way a processor does. Not thread-safe. */
public final class StreamReader {

    private final StreamSource source;

    private StreamReader(StreamSource source) {
        this.source = source;
    }

    /** Returns a reader of the service's own log. */
    public static StreamReader ofLog(Store store, String group) {
        return new StreamReader(new LogStreamSource(store.eventLog(), store.consumerGroups(), group));
    }

    /** Returns a reader of other services' streams. */
    public static StreamReader over(Wire wire, String group) {
        return new StreamReader(new WireStreamSource(wire, group));
    }

    /** Returns a server of the store's streams, as a service registers it at its wire. */
    public static StreamServer serverOf(Store store) {
        return new LogStreamServer(store.eventLog(), store.consumerGroups());
    }

    /** Registers the group; empty if the stream's source has not responded yet. */
    public Optional<StreamPosition> start(String stream, StartAt start) {
        return source.start(stream, start);
    }

    /** Returns the events that follow a position; empty if there are none yet or they are still being fetched. */
    public List<EventMessage> read(String stream, StreamPosition after, int limit) {
        return source.read(stream, after, limit);
    }

    /** Reports the position that the group has reached, without its start. */
    public void report(String stream, StreamPosition reached) {
        source.report(stream, null, reached);
    }
}
