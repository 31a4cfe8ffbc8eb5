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
    private final StreamServer server;
    private final String group;

    /** @param group the consumer, by which the log knows it */
    public LogStreamSource(EventLog log, ConsumerGroups groups, String group) {
        this.log = log;
        this.server = new LogStreamServer(log, groups);
        this.group = group;
    }

    /** The sources of a consumer. */
    public static StreamSources of(EventLog log, ConsumerGroups groups, String consumer) {
        return new StreamSources() {
            @Override
            public StreamSource live(int generation) {
                return new LogStreamSource(log, groups, StreamSources.group(consumer, generation));
            }

            @Override
            public StreamSource behind(int generation) {
                return live(generation);
            }
        };
    }

    @Override
    public Optional<StreamPosition> start(String stream, StartAt start) {
        return Optional.of(server.register(new GroupRegistration(group, stream, start)));
    }

    @Override
    public List<EventMessage> read(String stream, StreamPosition reader, int limit) {
        StreamPosition after = reader.log().equals(log.identity())
                ? reader
                : StreamChain.carriedOver(stream, reader, log.identity(), log.epochs());
        List<EventMessage> events = log.readStream(stream, after.position(), limit);
        return events.isEmpty() ? readBelowHead(stream, after, limit) : StreamChain.following(stream, after, events);
    }

    @Override
    public Optional<Long> head(String stream) {
        return Optional.of(log.head(stream).position());
    }

    /** Everything is answered at once. */
    @Override
    public void onAnswer(Runnable signal) {}

    @Override
    public Optional<StreamPosition> restored(String stream, StreamPosition reader) {
        return Optional.of(StreamChain.restored(stream, reader, log.identity(), log.epochs()));
    }

    @Override
    public void report(String stream, StreamPosition reached) {
        server.report(new GroupReport(group, stream, reached));
    }

    /** Nothing was there: either there is nothing yet, or it came just now, or it is gone. */
    private List<EventMessage> readBelowHead(String stream, StreamPosition after, int limit) {
        StreamHead head = log.head(stream);
        List<EventMessage> events =
                head.position() > after.position() ? log.readStream(stream, after.position(), limit) : List.of();
        return StreamChain.following(stream, after, head, events);
    }
}
