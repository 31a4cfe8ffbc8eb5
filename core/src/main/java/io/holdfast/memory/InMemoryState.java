package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitChecks;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.token.ClaimedToken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The state that the adapters of one store share: everything that a database would contain. */
record InMemoryState(
        InMemoryHead head,
        InMemoryEventLog log,
        InMemoryViewStore rows,
        InMemoryTokenStore tokens,
        InMemoryDeadLetters letters,
        InMemoryConsumerGroups groups,
        Set<String> outboxStreams,
        CommitPoint.Observer points) {

    InMemoryState(
            InMemoryHead head,
            InMemoryEventLog log,
            InMemoryTokenStore tokens,
            InMemoryDeadLetters letters,
            InMemoryConsumerGroups groups,
            CommitPoint.Observer points) {
        this(head, log, new InMemoryViewStore(), tokens, letters, groups, ConcurrentHashMap.newKeySet(), points);
    }

    boolean isOutboxStream(String stream) {
        return outboxStreams.contains(stream);
    }

    /** @throws PermanentException if the stream has events that were not written through the outbox */
    void registerOutboxStream(String stream) {
        synchronized (outboxStreams) {
            if (!isOutboxStream(stream) && log.head(stream).position() > 0) {
                throw UnitChecks.streamKindConflict(stream, "event-sourced");
            }
            outboxStreams.add(stream);
        }
    }

    /** Assigns positions, in order, directly above the head. Call it only under the head lock. */
    List<EventMessage> positioned(List<EventDraft> drafts) {
        Map<String, StreamHead> newest = new HashMap<>();
        List<EventMessage> events = new ArrayList<>();
        for (EventDraft draft : drafts) {
            String stream = draft.key().stream();
            EventMessage event =
                    draft.at(log.nextLogPosition(events.size(), newest.computeIfAbsent(stream, log::head)));
            newest.put(stream, new StreamHead(stream, log.identity(), event.position(), event.id()));
            events.add(event);
        }
        return events;
    }

    /**
     * Makes a commit of event-sourced streams visible. An application's transaction does not wait for the head, so a
     * stream may have become an outbox stream after the events were checked.
     *
     * @param alongside the application's own changes, which take effect with the commit
     */
    void applyEventSourced(
            List<EventMessage> events, List<UnitWrites> units, Collection<ClaimedToken> advanced, Runnable alongside) {
        synchronized (outboxStreams) {
            for (EventMessage event : events) {
                if (isOutboxStream(event.stream())) {
                    throw new RetryableException("stream " + event.stream()
                            + " became an outbox stream during the commit; nothing was committed, retry the write");
                }
            }
            alongside.run();
            apply(events, units, advanced);
        }
    }

    /** Makes a commit visible. Call it only under the head lock. */
    void apply(List<EventMessage> events, List<UnitWrites> units, Collection<ClaimedToken> advanced) {
        for (UnitWrites unit : units) {
            unit.rows().forEach(rows::put);
            unit.snapshots().forEach(log::add);
            letters.apply(unit.letters(), unit.replica());
            unit.settlements().forEach(letters.actions()::apply);
        }
        advanced.forEach(tokens::put);
        log.add(events);
    }
}
