package io.holdfast.wire.source;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the service's own streams from its log, never over the wire. */
public final class LogStreamSource implements StreamSource {

    /**
     * Without a signal, the log is queried again after this time. It is below the poll interval of consumers (1 s),
     * so each of their polls queries.
     */
    private static final long POLL_INTERVAL = Duration.ofMillis(800).toNanos();

    private final EventLog log;
    private final AppendSignals appendSignals;
    private final StreamServer server;
    private final String group;
    private final LongSupplier nanos;
    private final Map<String, EmptyRead> emptyReads = new ConcurrentHashMap<>();

    /** Creates a source that queries the log on every read. */
    public LogStreamSource(EventLog log, ConsumerGroups groups, String group) {
        this(log, AppendSignals.untracked(), groups, group);
    }

    /**
     * @param appendSignals without a signal, a stream that was read to its end is not queried again immediately
     * @param group the consumer group's name
     */
    public LogStreamSource(EventLog log, AppendSignals appendSignals, ConsumerGroups groups, String group) {
        this(log, appendSignals, groups, group, System::nanoTime);
    }

    LogStreamSource(
            EventLog log, AppendSignals appendSignals, ConsumerGroups groups, String group, LongSupplier nanos) {
        this.nanos = nanos;
        this.log = log;
        this.appendSignals = appendSignals;
        this.server = new LogStreamServer(log, groups);
        this.group = group;
    }

    /** Returns the sources of a consumer, which query the log on every read. */
    public static StreamSources of(EventLog log, ConsumerGroups groups, String consumer) {
        return of(log, AppendSignals.untracked(), groups, consumer);
    }

    /** Returns the sources of a consumer. */
    public static StreamSources of(EventLog log, AppendSignals appendSignals, ConsumerGroups groups, String consumer) {
        return new StreamSources() {
            @Override
            public StreamSource live(int generation) {
                return new LogStreamSource(log, appendSignals, groups, StreamSources.group(consumer, generation));
            }

            @Override
            public StreamSource catchUp(int generation) {
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
        EmptyRead now = new EmptyRead(reader, appendSignals.signalCount(stream), nanos.getAsLong());
        EmptyRead before = emptyReads.get(stream);
        if (before != null && before.isCurrent(now)) {
            return List.of();
        }
        List<EventMessage> events = readLog(stream, reader, limit);
        if (events.isEmpty()) {
            emptyReads.put(stream, now);
        } else {
            emptyReads.remove(stream);
        }
        return events;
    }

    private List<EventMessage> readLog(String stream, StreamPosition reader, int limit) {
        StreamHead head = reader.log().equals(log.identity()) ? null : log.head(stream);
        List<EventMessage> events = log.readStream(stream, reader.position(), limit);
        StreamPosition after =
                head == null ? reader : StreamChain.resumePosition(stream, reader, head, log.epochs(), events);
        return events.isEmpty()
                ? readBelowHead(stream, after, limit)
                : StreamChain.requireContiguous(stream, after, events);
    }

    @Override
    public Optional<Long> head(String stream) {
        return Optional.of(log.head(stream).position());
    }

    /** Does nothing: every call returns its result immediately. */
    @Override
    public void onResponse(Runnable signal) {}

    @Override
    public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
        StreamHead head = log.head(stream);
        List<EventMessage> next = log.readStream(stream, reader.position(), 1);
        return Optional.of(StreamChain.positionAfterRestore(stream, reader, head, log.epochs(), next));
    }

    @Override
    public void report(String stream, @Nullable StreamPosition start, StreamPosition reached) {
        server.report(new GroupReport(group, stream, start, reached));
    }

    /**
     * Handles an empty read: the reader is at the head, an event was appended in between, or the events were removed.
     */
    private List<EventMessage> readBelowHead(String stream, StreamPosition after, int limit) {
        StreamHead head = log.head(stream);
        List<EventMessage> events =
                head.position() > after.position() ? log.readStream(stream, after.position(), limit) : List.of();
        return StreamChain.requireContiguous(stream, after, head, events);
    }

    /**
     * A read that found nothing.
     *
     * @param reader the reader's position
     * @param signalCount the signal count before the read
     */
    private record EmptyRead(StreamPosition reader, long signalCount, long nanos) {

        boolean isCurrent(EmptyRead now) {
            return reader.equals(now.reader) && signalCount == now.signalCount && now.nanos - nanos < POLL_INTERVAL;
        }
    }
}
