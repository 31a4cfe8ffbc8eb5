package io.holdfast.processing.stream;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.wire.source.StreamBrokenException;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one stream for all segments of a processor: once, as long as their positions are close together. A window keeps
 * what was read. A segment slightly ahead of the window waits for it; a segment behind it or far ahead reads separately
 * until it is back. If all segments read separately, the source would have to serve each of them, and a source that has
 * just recovered might time out for all of them, repeatedly. Not thread-safe.
 */
public final class StreamFeed {

    /**
     * The number of pages kept for slower segments. While one segment commits a batch, the others read until each has a
     * batch, which takes as many pages as there are segments. A segment that falls out of the window reads every page
     * once more.
     */
    private static final int PAGES = 32;

    private static final int MAX_CHARACTERS = 16 * 1024 * 1024;

    /**
     * How long a segment waits for a window that has reached the end of the stream below it. Then the source may have
     * lost what the segment has read, and must be asked.
     */
    private static final Duration MAX_WAIT_AHEAD = Duration.ofSeconds(30);

    private final String stream;
    private final StreamSource live;
    private final Supplier<StreamSource> behind;
    private final SequencingPolicy policy;
    private final StoppedStreams stopped;
    private final RecentPositions recent;
    private final MonotonicClock clock;
    private final int page;
    private final List<SequencedEvent> window = new ArrayList<>();
    private final Map<Integer, Long> windowReaders = new HashMap<>();
    private final Map<Integer, StreamSource> separateSources = new HashMap<>();
    private final Map<Integer, MonotonicTime> aheadSince = new HashMap<>();
    private @Nullable StreamPosition windowStart;
    private long characters;
    private boolean exhausted;
    private boolean grown;

    public StreamFeed(
            String stream,
            StreamSource live,
            Supplier<StreamSource> behind,
            SequencingPolicy policy,
            StoppedStreams stopped,
            RecentPositions recent,
            MonotonicClock clock,
            int page) {
        this.stream = stream;
        this.live = live;
        this.behind = behind;
        this.policy = policy;
        this.stopped = stopped;
        this.recent = recent;
        this.clock = clock;
        this.page = page;
    }

    /**
     * Begins a step. Within a step, the source is not queried again for the window after it had nothing new.
     *
     * @param cursors the positions of the segments. If no segment reads from the window yet, it starts at the lowest
     *     position from which they can read together
     */
    public void beginStep(Collection<StreamPosition> cursors) {
        exhausted = false;
        grown = false;
        if (windowReaders.isEmpty() && !cursors.isEmpty()) {
            long furthest =
                    cursors.stream().mapToLong(StreamPosition::position).max().orElseThrow();
            StreamPosition last = cursors.stream()
                    .filter(cursor -> furthest - cursor.position() <= windowLimit())
                    .min(Comparator.comparingLong(StreamPosition::position))
                    .orElseThrow();
            if (indexAfter(last) < 0) {
                startWindowAt(last);
            }
        }
    }

    /**
     * Returns whether the window grew in this step, if only for segments that reach it later. Then the next step must
     * not wait.
     */
    public boolean hasGrown() {
        return grown;
    }

    private long windowLimit() {
        return (long) PAGES * page;
    }

    /**
     * Returns the events that follow a position, as the source has them now; empty if there are none yet. The window may
     * contain records of the wire that the source has lost since.
     */
    public List<SequencedEvent> readFromSource(int segment, StreamPosition after) {
        windowReaders.remove(segment);
        aheadSince.remove(segment);
        return readSeparately(segment, after);
    }

    /** Returns the events that follow a position, including those of other segments; empty if there are none yet. */
    public List<SequencedEvent> read(int segment, StreamPosition after) {
        int index = indexAfter(after);
        if (index < 0 && isUnused(segment)) {
            startWindowAt(after);
            index = 0;
        }
        if (index < 0 && isAhead(after)) {
            windowReaders.remove(segment);
            if (!exhausted) {
                extend();
            }
            index = indexAfter(after);
            if (index < 0 && !isAheadForLong(segment)) {
                closeSeparateSource(segment);
                return List.of();
            }
        } else {
            aheadSince.remove(segment);
        }
        if (index < 0) {
            windowReaders.remove(segment);
            return readSeparately(segment, after);
        }
        closeSeparateSource(segment);
        windowReaders.put(segment, after.position());
        if (index == window.size() && !exhausted) {
            extend();
            index = indexAfter(after);
        }
        return List.copyOf(window.subList(index, Math.min(window.size(), index + page)));
    }

    /** Stops reading for a segment; nothing is kept for it. */
    public void removeSegment(int segment) {
        windowReaders.remove(segment);
        aheadSince.remove(segment);
        closeSeparateSource(segment);
    }

    /** Returns whether the window will reach this position soon. */
    private boolean isAhead(StreamPosition after) {
        StreamPosition end = windowEnd();
        return end != null
                && end.log().equals(after.log())
                && after.position() > end.position()
                && after.position() - end.position() <= windowLimit();
    }

    private boolean isAheadForLong(int segment) {
        MonotonicTime since = aheadSince.computeIfAbsent(segment, unknown -> clock.time());
        return exhausted && since.plus(MAX_WAIT_AHEAD).isBefore(clock.time());
    }

    private @Nullable StreamPosition windowEnd() {
        return window.isEmpty()
                ? windowStart
                : window.get(window.size() - 1).event().streamPosition();
    }

    private boolean isUnused(int segment) {
        return windowReaders.isEmpty() || (windowReaders.size() == 1 && windowReaders.containsKey(segment));
    }

    private void startWindowAt(StreamPosition after) {
        window.clear();
        exhausted = false;
        characters = 0;
        windowStart = after;
    }

    /** Returns the index in the window of what follows a position; -1 if the position is not in the window. */
    private int indexAfter(StreamPosition after) {
        if (after.equals(windowStart)) {
            return 0;
        }
        int low = 0;
        int high = window.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long position = window.get(middle).event().position();
            if (position == after.position()) {
                return window.get(middle).event().streamPosition().equals(after) ? middle + 1 : -1;
            }
            if (position < after.position()) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    private void extend() {
        trimWindow();
        StreamPosition end = window.isEmpty()
                ? windowStart
                : window.get(window.size() - 1).event().streamPosition();
        if (end == null) {
            return;
        }
        List<SequencedEvent> events = read(live, stream, end);
        exhausted = events.isEmpty();
        grown |= !events.isEmpty();
        for (SequencedEvent event : events) {
            window.add(event);
            characters += event.event().payload().json().length();
        }
    }

    /**
     * Drops the events that all segments have read. The slowest segment falls out if the others would have to wait for
     * it; segments close behind do not.
     */
    private void trimWindow() {
        long lowest =
                windowReaders.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        long kept = characters;
        int count = 0;
        while (count < window.size()
                && (window.get(count).event().position() <= lowest
                        || window.size() - count > windowLimit()
                        || kept > MAX_CHARACTERS)) {
            kept -= window.get(count).event().payload().json().length();
            count++;
        }
        removeFirst(count);
    }

    private void removeFirst(int count) {
        if (count == 0) {
            return;
        }
        windowStart = window.get(count - 1).event().streamPosition();
        List<SequencedEvent> dropped = window.subList(0, count);
        characters -= dropped.stream()
                .mapToLong(event -> event.event().payload().json().length())
                .sum();
        dropped.clear();
    }

    private List<SequencedEvent> readSeparately(int segment, StreamPosition after) {
        return read(
                separateSources.computeIfAbsent(segment, unknown -> behind.get()), separateReaderName(segment), after);
    }

    /** Ends the separate reading of a segment, and forgets why it was stopped. */
    private void closeSeparateSource(int segment) {
        if (separateSources.remove(segment) != null) {
            stopped.forget(separateReaderName(segment));
        }
    }

    private String separateReaderName(int segment) {
        return stream + " by segment " + segment;
    }

    private List<SequencedEvent> read(StreamSource source, String reader, StreamPosition after) {
        if (stopped.isStopped(reader, after)) {
            return List.of();
        }
        try {
            List<EventMessage> events = source.read(stream, after, page);
            if (!events.isEmpty()) { // an empty result may mean that the response is pending
                stopped.resume(reader);
                recent.read(events);
            }
            return sequenced(events, after);
        } catch (StreamBrokenException e) {
            stopped.stop(reader, after, e);
            return List.of();
        }
    }

    /** Skips events at or below the position, in case the source returns some twice. */
    private List<SequencedEvent> sequenced(List<EventMessage> events, StreamPosition after) {
        List<SequencedEvent> fresh = new ArrayList<>(events.size());
        StreamPosition reached = after;
        for (EventMessage event : events) {
            if (!reached.covers(event)) {
                fresh.add(SequencedEvent.of(event, policy));
                reached = event.streamPosition();
            }
        }
        return fresh;
    }
}
