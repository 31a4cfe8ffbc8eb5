package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.StreamHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns positions to events, directly above the head, and links each event to its predecessor in the stream. Requires
 * the head lock.
 */
final class EventPositions {

    private final LogIdentity identity;
    private final Map<String, StreamHead> known;
    private final Map<String, StreamHead> streamHeads = new HashMap<>();
    private long position;

    /** @param known the heads of the streams that already have events */
    EventPositions(LogIdentity identity, long position, Map<String, StreamHead> known) {
        this.identity = identity;
        this.position = position;
        this.known = known;
    }

    List<EventMessage> assign(List<EventDraft> drafts) {
        known.values().forEach(this::requireNotAboveLog);
        List<EventMessage> events = new ArrayList<>();
        for (EventDraft draft : drafts) {
            String stream = draft.key().stream();
            StreamHead before = streamHeads.getOrDefault(stream, known.getOrDefault(stream, none(stream)));
            EventMessage event = draft.at(new LogPosition(identity, ++position, before.position(), before.id()));
            streamHeads.put(stream, new StreamHead(stream, identity, event.position(), event.id()));
            events.add(event);
        }
        return events;
    }

    /** @return the new heads of the streams that received events */
    Map<String, StreamHead> streamHeads() {
        return streamHeads;
    }

    /** Otherwise the head row has lost an update, and no event can be appended before it is corrected. */
    private void requireNotAboveLog(StreamHead head) {
        if (head.position() > position) {
            throw new PermanentException("table holdfast_log is damaged: its head is at position " + position
                    + ", but table holdfast_stream has the head of stream " + head.stream() + " at position "
                    + head.position());
        }
    }

    private StreamHead none(String stream) {
        return new StreamHead(stream, identity, 0, null);
    }
}
