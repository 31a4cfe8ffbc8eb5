package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.PageSource;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import io.holdfast.wire.WireUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A wire between services of one process. It forgets like the real one, also on purpose: {@link #restart},
 * {@link #loseTail}, {@link #disconnect}. For any number of threads.
 */
public final class InMemoryWire implements Wire {

    public static final int DEFAULT_CAPACITY = 10_000;

    private final int capacity;
    private final CommitPoint.Observer points;
    private final Map<String, InMemoryRing> rings = new ConcurrentHashMap<>();
    private final Map<String, StreamHead> heads = new ConcurrentHashMap<>();
    private final Map<String, List<Source>> sources = new ConcurrentHashMap<>();
    private final Map<String, List<Signal>> signals = new ConcurrentHashMap<>();
    private volatile boolean connected = true;

    public InMemoryWire() {
        this(DEFAULT_CAPACITY, CommitPoint.Observer.NONE);
    }

    /** @param capacity how many records of each stream are kept */
    public InMemoryWire(int capacity, CommitPoint.Observer points) {
        this.capacity = capacity;
        this.points = points;
    }

    @Override
    public void publish(List<EventMessage> events) {
        points.pass(CommitPoint.WIRE_PUBLISH, () -> {
            for (EventMessage event : events) {
                requireConnected("publish to stream " + event.stream());
                ring(event.stream()).add(event);
            }
        });
        events.stream().map(EventMessage::stream).distinct().forEach(this::signal);
    }

    @Override
    public WireReader reader(String stream) {
        return new Reader(stream);
    }

    @Override
    public void announce(Collection<StreamHead> announced) {
        points.pass(CommitPoint.WIRE_ANNOUNCE, () -> {
            requireConnected("announce heads");
            announced.forEach(head -> heads.put(head.stream(), head));
        });
        announced.forEach(head -> signal(head.stream()));
    }

    @Override
    public Optional<StreamHead> head(String stream) {
        return connected ? Optional.ofNullable(heads.get(stream)) : Optional.empty();
    }

    @Override
    public Registration serve(Collection<String> streams, PageSource source) {
        Source registered = new Source(source);
        List<String> names = List.copyOf(streams);
        names.forEach(stream -> sources.computeIfAbsent(stream, unknown -> new CopyOnWriteArrayList<>())
                .add(registered));
        return () -> names.forEach(stream ->
                sources.getOrDefault(stream, new CopyOnWriteArrayList<>()).remove(registered));
    }

    @Override
    public CompletableFuture<StreamPage> request(PageRequest request) {
        Source source = newestSource(request.stream());
        if (!connected || source == null) {
            return CompletableFuture.failedFuture(
                    new WireUnavailableException("nobody answers for stream " + request.stream()));
        }
        try {
            return CompletableFuture.completedFuture(source.pages.page(request));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Registration onArrival(Collection<String> streams, Runnable signal) {
        Signal registered = new Signal(signal);
        List<String> names = List.copyOf(streams);
        names.forEach(stream -> signals.computeIfAbsent(stream, unknown -> new CopyOnWriteArrayList<>())
                .add(registered));
        return () -> names.forEach(stream ->
                signals.getOrDefault(stream, new CopyOnWriteArrayList<>()).remove(registered));
    }

    /** From now on publishing and requests fail, and readers are given nothing. */
    public void disconnect() {
        connected = false;
    }

    public void reconnect() {
        connected = true;
    }

    /** Forgets all records and heads, as a cluster does whose only member comes back empty. */
    public void restart() {
        heads.clear();
        rings.values().forEach(InMemoryRing::clear);
    }

    /** Forgets the newest records of a stream, as a promotion of an older backup does. */
    public void loseTail(String stream, int records) {
        ring(stream).loseTail(records);
    }

    private @Nullable Source newestSource(String stream) {
        Source newest = null;
        for (Source source : sources.getOrDefault(stream, List.of())) {
            newest = source;
        }
        return newest;
    }

    private InMemoryRing ring(String stream) {
        return rings.computeIfAbsent(stream, unknown -> new InMemoryRing(capacity));
    }

    private void signal(String stream) {
        signals.getOrDefault(stream, List.of()).forEach(registered -> registered.work.run());
    }

    private void requireConnected(String what) {
        if (!connected) {
            throw new WireUnavailableException("cannot " + what + ": the wire is down");
        }
    }

    /** One registration of a source; another of the same source is not equal to it. */
    private static final class Source {

        private final PageSource pages;

        Source(PageSource pages) {
            this.pages = pages;
        }
    }

    /** One registration of a signal; another of the same signal is not equal to it. */
    private static final class Signal {

        private final Runnable work;

        Signal(Runnable work) {
            this.work = work;
        }
    }

    private final class Reader implements WireReader {

        private final InMemoryRing ring;
        private long next;

        Reader(String stream) {
            this.ring = ring(stream);
        }

        @Override
        public List<EventMessage> poll(int limit) {
            if (!connected) {
                return List.of();
            }
            InMemoryRing.Records records = ring.read(next, limit);
            next = records.next();
            return records.events();
        }
    }
}
