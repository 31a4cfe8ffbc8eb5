package io.holdfast.processing.stream;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogPosition;
import io.holdfast.event.StreamPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The newest events of one stream that this process has read. If the source loses some of them, they show up to which
 * position its log is unchanged. Not thread-safe.
 *
 * <p>They may belong to different histories: a segment that has read lost events stops, while another one continues with
 * what the source has appended since. So the events before a position are found by the chain of predecessors, and not by
 * their numbers.
 */
public final class RecentPositions {

    /** As many as a source remembers of its own events. */
    private static final int CAPACITY = 10_000;

    private final Map<Key, Link> links = new LinkedHashMap<>();

    private record Key(long position, @Nullable UUID id) {}

    private record Link(StreamPosition position, Key previous) {}

    public void read(List<EventMessage> events) {
        for (EventMessage event : events) {
            LogPosition at = event.logPosition();
            links.put(
                    new Key(event.position(), event.id()),
                    new Link(event.streamPosition(), new Key(at.previousPosition(), at.previousId())));
        }
        Iterator<Key> oldest = links.keySet().iterator();
        while (links.size() > CAPACITY) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Returns the positions before another one in the same history, lowest first, as far back as they are known. */
    public List<StreamPosition> before(StreamPosition position) {
        Deque<StreamPosition> before = new ArrayDeque<>();
        Link link = links.get(new Key(position.position(), position.id()));
        while (link != null) {
            link = links.get(link.previous());
            if (link != null) {
                before.addFirst(link.position());
            }
        }
        return List.copyOf(before);
    }
}
