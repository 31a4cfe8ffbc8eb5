package io.holdfast.wire.source;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams of other services. Live records arrive over the wire. If the chain of previous positions shows a gap,
 * or an announced head a lost tail, the source pulls pages until they meet the live records. A gap in one stream does
 * not block the others.
 */
public final class WireStreamSource implements StreamSource {

    private static final int PAGE = 500;

    /**
     * Sources announce their heads every second. A reader that is above the head for longer asks the source: it may have
     * lost the reader's event, without a replica that knows it.
     */
    private static final Duration MAX_ANNOUNCEMENT_DELAY = Duration.ofSeconds(5);

    private final Wire wire;
    private final String group;
    private final Map<String, Stream> streams = new HashMap<>();
    private final Set<Runnable> signals = new CopyOnWriteArraySet<>();

    private final boolean listens;
    private final MonotonicClock clock;

    private WireStreamSource(Wire wire, String group, boolean listens, MonotonicClock clock) {
        this.clock = clock;
        this.wire = wire;
        this.group = group;
        this.listens = listens;
    }

    /** @param group the consumer group, unique among all services */
    public WireStreamSource(Wire wire, String group) {
        this(wire, group, true, MonotonicClock.of(Clock.systemUTC()));
    }

    /** Returns a source for a reader that is behind: it pulls everything and does not read the wire. */
    public static WireStreamSource catchUp(Wire wire, String group) {
        return new WireStreamSource(wire, group, false, MonotonicClock.of(Clock.systemUTC()));
    }

    /** Returns the sources of a consumer. All calls share one live source per generation. */
    public static StreamSources of(Wire wire, String consumer) {
        return of(wire, consumer, Clock.systemUTC());
    }

    /** As {@link #of(Wire, String)}, with another clock for intervals. */
    public static StreamSources of(Wire wire, String consumer, Clock clock) {
        Map<Integer, StreamSource> live = new ConcurrentHashMap<>();
        MonotonicClock monotonic = MonotonicClock.of(clock);
        return new StreamSources() {
            @Override
            public StreamSource live(int generation) {
                return live.computeIfAbsent(
                        generation,
                        number -> new WireStreamSource(wire, StreamSources.group(consumer, number), true, monotonic));
            }

            @Override
            public StreamSource catchUp(int generation) {
                return new WireStreamSource(wire, StreamSources.group(consumer, generation), false, monotonic);
            }
        };
    }

    @Override
    public Optional<StreamPosition> start(String stream, StartAt start) {
        return stream(stream).start(start);
    }

    @Override
    public void onResponse(Runnable signal) {
        signals.add(signal);
    }

    private void signal() {
        signals.forEach(Runnable::run);
    }

    @Override
    public Optional<RestoredPosition> positionAfterRestore(String stream, StreamPosition reader) {
        return stream(stream).positionAfterRestore(reader);
    }

    @Override
    public Optional<Long> head(String stream) {
        return wire.head(stream).map(StreamHead::position);
    }

    @Override
    public void report(String stream, @Nullable StreamPosition start, StreamPosition reached) {
        wire.report(new GroupReport(group, stream, start, reached));
    }

    @Override
    public List<EventMessage> read(String stream, StreamPosition after, int limit) {
        return stream(stream).read(after, limit);
    }

    private Stream stream(String name) {
        return streams.computeIfAbsent(name, unknown -> new Stream(unknown));
    }

    private final class Stream {

        private final String name;
        private final @Nullable WireReader live;
        private final WaitingRecords waiting = new WaitingRecords();
        private final RepeatedRequest<GroupRegistration, StreamPosition> start;
        private final RepeatedRequest<PageRequest, StreamPage> pages;
        /** Separate from {@link #pages}, because concurrent requests would discard each other's responses. */
        private final RepeatedRequest<PageRequest, StreamPage> restoreRequests;

        private @Nullable StreamHead announcedHead;
        /** The source has announced at least this position; a later announcement below it is suspicious. */
        private long confirmedPosition;

        private boolean suspicious;
        /** The reader's position while it is above the announced head, and since when. */
        private @Nullable StreamPosition ahead;

        private MonotonicTime aheadSince = MonotonicTime.MIN;

        Stream(String name) {
            this.name = name;
            this.live = listens ? wire.reader(name) : null;
            this.start = new RepeatedRequest<>(wire::register, WireStreamSource.this::signal);
            this.pages = new RepeatedRequest<>(wire::request, WireStreamSource.this::signal);
            this.restoreRequests = new RepeatedRequest<>(wire::request, WireStreamSource.this::signal);
        }

        Optional<StreamPosition> start(StartAt startAt) {
            return start.poll(new GroupRegistration(group, name, startAt));
        }

        Optional<RestoredPosition> positionAfterRestore(StreamPosition reader) {
            return restoreRequests
                    .poll(new PageRequest(name, reader.position(), 1))
                    .map(page ->
                            StreamChain.positionAfterRestore(name, reader, page.head(), page.epochs(), page.events()));
        }

        List<EventMessage> read(StreamPosition after, int limit) {
            receive();
            List<EventMessage> next = drainContiguous(after, limit);
            if (!next.isEmpty() || !isBehind(after)) {
                return next;
            }
            int size = Math.min(limit, PAGE);
            return pages.poll(new PageRequest(name, after.position(), size))
                    .map(page -> pull(page, after, size))
                    .orElse(List.of());
        }

        private List<EventMessage> pull(StreamPage page, StreamPosition after, int size) {
            List<EventMessage> pulled = accept(page, after);
            // Only if there is more: an empty response would be kept, and used long after it became stale.
            if (pulled.size() == size
                    && page.head().position() > pulled.get(size - 1).position()) {
                pages.prefetch(new PageRequest(name, pulled.get(size - 1).position(), size));
            }
            return pulled;
        }

        /** Polls as many records as the buffer has room for. The rest stays on the wire, or is pulled later. */
        private void receive() {
            int room = waiting.room();
            if (live != null && room > 0) {
                waiting.add(live.poll(Math.min(room, PAGE)));
            }
        }

        private List<EventMessage> drainContiguous(StreamPosition after, int limit) {
            List<EventMessage> contiguous = new ArrayList<>();
            StreamPosition reached = after;
            for (EventMessage next = waiting.first();
                    next != null && contiguous.size() < limit;
                    next = waiting.first()) {
                if (reached.isFollowedBy(next)) {
                    contiguous.add(next);
                    reached = next.streamPosition();
                } else if (!reached.covers(next)) {
                    break;
                }
                waiting.removeFirst();
            }
            return contiguous;
        }

        /** Returns whether a record arrived that does not follow, or the source announced more events or fewer. */
        private boolean isBehind(StreamPosition after) {
            StreamHead head = wire.head(name).orElse(null);
            if (head == null) {
                return !waiting.isEmpty();
            }
            if (!head.equals(announcedHead)) {
                suspicious = head.position() < (announcedHead == null ? after.position() : confirmedPosition);
                announcedHead = head;
            }
            confirmedPosition = Math.min(after.position(), head.position());
            return !waiting.isEmpty()
                    || suspicious
                    || isAheadForLong(after, head)
                    || !head.log().equals(after.log())
                    || head.position() > after.position()
                    || StreamChain.isRewritten(after, head);
        }

        private boolean isAheadForLong(StreamPosition after, StreamHead head) {
            if (head.position() >= after.position()) {
                ahead = null;
                return false;
            }
            if (!after.equals(ahead)) {
                ahead = after;
                aheadSince = clock.time();
            }
            return aheadSince.plus(MAX_ANNOUNCEMENT_DELAY).isBefore(clock.time());
        }

        private List<EventMessage> accept(StreamPage page, StreamPosition after) {
            StreamPosition resumed = after.log().equals(page.head().log())
                    ? after
                    : StreamChain.resumePosition(name, after, page.head(), page.epochs(), page.events());
            List<EventMessage> events = StreamChain.requireContiguous(name, resumed, page.head(), page.events());
            dropStrays(page);
            ahead = null;
            suspicious = false; // the announcement was late; the source's own response is consistent
            return events;
        }

        /**
         * The source's own response overrides the wire: a record of another log, or one that claims to follow where
         * the source has nothing, is dropped. If it was genuine, a later page contains it.
         */
        private void dropStrays(StreamPage page) {
            waiting.removeIf(record -> page.events().isEmpty()
                    || !record.logPosition().log().equals(page.head().log()));
        }
    }
}
