package io.holdfast.jdbc;

import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.StreamHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives places to events, directly above the head, each behind the newest of its stream. Under the head. */
final class EventPositions {

    private final LogIdentity identity;
    private final Map<String, StreamHead> known;
    private final Map<String, StreamHead> streamHeads = new HashMap<>();
    private long position;

    /** @param known the heads of streams that have events */
    EventPositions(LogIdentity identity, long position, Map<String, StreamHead> known) {
        this.identity = identity;
        this.position = position;
        this.known = known;
    }

    List<EventMessage> assign(List<EventDraft> drafts) {
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

    /** The heads of the streams that have got events. */
    Map<String, StreamHead> streamHeads() {
        return streamHeads;
    }

    private StreamHead none(String stream) {
        return new StreamHead(stream, identity, 0, null);
    }
}
