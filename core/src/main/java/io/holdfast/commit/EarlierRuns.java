package io.holdfast.commit;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Finds the events that repeatable parts have committed in an earlier run. A part's events are committed together, so
 * its first event id is sufficient. A batch without repeatable parts needs no query.
 */
final class EarlierRuns {

    private static final int PROBE = 16;

    private final EventLog log;

    EarlierRuns(EventLog log) {
        this.log = log;
    }

    /** Returns the stored events of the repeatable parts that were committed earlier. */
    Map<PartId, List<EventMessage>> find(List<CommitUnit> units) {
        Map<UUID, PartId> byFirstId = new HashMap<>();
        for (CommitUnit unit : units) {
            for (Part part : unit.parts()) {
                if (part.repeatable()) {
                    byFirstId.put(part.id().eventId(0), part.id());
                }
            }
        }
        Map<PartId, List<EventMessage>> found = new HashMap<>();
        if (!byFirstId.isEmpty()) {
            for (EventMessage first : log.find(byFirstId.keySet())) {
                PartId part = byFirstId.get(first.id());
                if (part != null) {
                    found.put(part, allOf(part));
                }
            }
        }
        return found;
    }

    private List<EventMessage> allOf(PartId part) {
        List<EventMessage> events = new ArrayList<>();
        int found;
        do {
            int from = events.size();
            Set<UUID> ids = new HashSet<>(
                    IntStream.range(from, from + PROBE).mapToObj(part::eventId).toList());
            List<EventMessage> page = log.find(ids);
            events.addAll(page);
            found = page.size();
        } while (found == PROBE);
        events.sort(Comparator.comparingLong(EventMessage::position));
        return events;
    }
}
