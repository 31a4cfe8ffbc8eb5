package io.holdfast.processing.stream;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import java.util.List;
import java.util.TreeMap;

/**
 * The newest events of one stream that this process has read. If the source loses some of them, they show up to which
 * position its log is unchanged. Not thread-safe.
 */
public final class RecentPositions {

    /** As many as a source remembers of its own events. */
    private static final int CAPACITY = 10_000;

    private final TreeMap<Long, StreamPosition> positions = new TreeMap<>();

    void read(List<EventMessage> events) {
        for (EventMessage event : events) {
            positions.put(event.position(), event.streamPosition());
        }
        while (positions.size() > CAPACITY) {
            positions.pollFirstEntry();
        }
    }

    /** Returns the positions below another, lowest first. */
    public List<StreamPosition> below(long position) {
        return List.copyOf(positions.headMap(position, false).values());
    }

    /** Forgets events that the source has lost. */
    public void forgetAbove(long position) {
        positions.tailMap(position, false).clear();
    }
}
