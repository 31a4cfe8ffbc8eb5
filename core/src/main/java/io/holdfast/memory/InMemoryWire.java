package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.NoLiveReplicaException;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import io.holdfast.wire.WireUnavailableException;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A wire between services of one process. It loses records like a real one, also on demand: {@link #restart},
 * {@link #loseTail}, {@link #disconnect}. Thread-safe.
 */
public final class InMemoryWire implements Wire {

    public static final int DEFAULT_CAPACITY = 10_000;

    private static final Duration SILENT_AFTER = Duration.ofSeconds(10);

    private final int capacity;
    private final CommitPoint.Observer points;
    private final Map<String, InMemoryRing> rings = new ConcurrentHashMap<>();
    private final Map<String, StreamHead> heads = new ConcurrentHashMap<>();
    private final Map<String, ReceivedAnnouncement> directory = new ConcurrentHashMap<>();
    private final Map<String, List<Server>> servers = new ConcurrentHashMap<>();
    private final Map<String, List<Signal>> arrivals = new ConcurrentHashMap<>();
    private final Map<String, List<Signal>> wakes = new ConcurrentHashMap<>();
    private final InMemoryOperations operations;
    private final MonotonicClock clock;
    private volatile boolean connected = true;

    public InMemoryWire() {
        this(DEFAULT_CAPACITY, Clock.systemUTC(), CommitPoint.Observer.NONE);
    }

    /**
     * @param capacity the number of records that each stream's ringbuffer keeps
     * @param clock determines when silent replicas disappear from the directory
     */
    public InMemoryWire(int capacity, Clock clock, CommitPoint.Observer points) {
        this(capacity, clock, points, false);
    }

    private InMemoryWire(int capacity, Clock clock, CommitPoint.Observer points, boolean singleThreaded) {
        this.capacity = capacity;
        this.clock = MonotonicClock.of(clock);
        this.points = points;
        this.operations = new InMemoryOperations(() -> connected, singleThreaded);
    }

    /**
     * Returns a wire without threads: {@link #ask} serves the request before it returns, so that a simulation can be
     * repeated.
     */
    public static InMemoryWire singleThreaded(int capacity, Clock clock, CommitPoint.Observer points) {
        return new InMemoryWire(capacity, clock, points, true);
    }

    @Override
    public void publish(List<EventMessage> events) {
        points.pass(CommitPoint.WIRE_PUBLISH, () -> {
            for (EventMessage event : events) {
                requireConnected("publish to stream " + event.stream());
                ring(event.stream()).add(event);
            }
        });
        events.stream().map(EventMessage::stream).distinct().forEach(this::signalArrival);
    }

    @Override
    public WireReader reader(String stream) {
        return new Reader(stream);
    }

    @Override
    public void announce(Announcement announcement) {
        points.pass(CommitPoint.WIRE_ANNOUNCE, () -> {
            requireConnected("announce " + announcement.replica());
            announcement.heads().forEach(head -> heads.put(head.stream(), head));
            directory.put(announcement.replica(), new ReceivedAnnouncement(announcement, clock.time()));
        });
        announcement.heads().forEach(head -> signalArrival(head.stream()));
    }

    @Override
    public Optional<StreamHead> head(String stream) {
        return connected ? Optional.ofNullable(heads.get(stream)) : Optional.empty();
    }

    @Override
    public List<Announcement> directory() {
        MonotonicTime oldest = clock.time().minus(SILENT_AFTER);
        directory.values().removeIf(received -> received.at().isBefore(oldest));
        return directory.values().stream()
                .sorted(Comparator.comparing(ReceivedAnnouncement::at)
                        .reversed()
                        .thenComparing(received -> received.announcement().replica()))
                .map(ReceivedAnnouncement::announcement)
                .toList();
    }

    @Override
    public Registration serve(Collection<String> streams, StreamServer server) {
        return register(servers, streams, new Server(server));
    }

    @Override
    public CompletableFuture<StreamPage> request(PageRequest request) {
        return call(request.stream(), server -> server.page(request));
    }

    @Override
    public CompletableFuture<StreamPosition> register(GroupRegistration registration) {
        return call(registration.stream(), server -> server.register(registration));
    }

    @Override
    public void report(GroupReport report) {
        requireConnected("report to stream " + report.stream());
        Server server = newestServer(report.stream());
        if (server != null) {
            server.delegate.report(report);
        }
    }

    @Override
    public Registration serveOperations(String service, String replica, OperationServer server) {
        return operations.serve(service, replica, server);
    }

    @Override
    public CompletableFuture<String> ask(String replica, OperationRequest request, Duration timeout) {
        if (!connected) {
            return CompletableFuture.failedFuture(
                    new WireUnavailableException("cannot send " + request + ": the wire is down"));
        }
        boolean isLive = directory().stream()
                .anyMatch(
                        live -> live.replica().equals(replica) && live.service().equals(request.service()));
        return isLive
                ? operations.ask(replica, request, timeout)
                : CompletableFuture.failedFuture(NoLiveReplicaException.of(request, replica));
    }

    @Override
    public Registration onArrival(Collection<String> streams, Runnable signal) {
        return register(arrivals, streams, new Signal(signal));
    }

    @Override
    public void wake(String service) {
        if (connected) {
            wakes.getOrDefault(service, List.of()).forEach(registered -> registered.work.run());
        }
    }

    @Override
    public Registration onWake(String service, Runnable signal) {
        return register(wakes, List.of(service), new Signal(signal));
    }

    /** Takes the wire down: publishing and requests fail, and readers get nothing. */
    public void disconnect() {
        connected = false;
    }

    public void reconnect() {
        connected = true;
    }

    /** Loses all records and heads, like a cluster whose only member restarts empty. */
    public void restart() {
        heads.clear();
        directory.clear();
        rings.values().forEach(InMemoryRing::clear);
    }

    /** Loses the newest records of a stream, like the promotion of an older backup. */
    public void loseTail(String stream, int records) {
        ring(stream).loseTail(records);
    }

    private static <T> Registration register(Map<String, List<T>> all, Collection<String> names, T registered) {
        List<String> keys = List.copyOf(names);
        keys.forEach(name -> all.computeIfAbsent(name, unknown -> new CopyOnWriteArrayList<>())
                .add(registered));
        return () -> keys.forEach(
                name -> all.getOrDefault(name, new CopyOnWriteArrayList<>()).remove(registered));
    }

    private <A> CompletableFuture<A> call(String stream, Function<StreamServer, A> request) {
        Server server = newestServer(stream);
        if (!connected || server == null) {
            return CompletableFuture.failedFuture(new WireUnavailableException("no replica serves stream " + stream));
        }
        try {
            return CompletableFuture.completedFuture(request.apply(server.delegate));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private @Nullable Server newestServer(String stream) {
        Server newest = null;
        for (Server server : servers.getOrDefault(stream, List.of())) {
            newest = server;
        }
        return newest;
    }

    private InMemoryRing ring(String stream) {
        return rings.computeIfAbsent(stream, unknown -> new InMemoryRing(capacity));
    }

    private void signalArrival(String stream) {
        arrivals.getOrDefault(stream, List.of()).forEach(registered -> registered.work.run());
    }

    private void requireConnected(String what) {
        if (!connected) {
            throw new WireUnavailableException("cannot " + what + ": the wire is down");
        }
    }

    /** One registration of a server, compared by identity. */
    private static final class Server {

        private final StreamServer delegate;

        Server(StreamServer delegate) {
            this.delegate = delegate;
        }
    }

    private record ReceivedAnnouncement(Announcement announcement, MonotonicTime at) {}

    /** One registration of a signal, compared by identity. */
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
