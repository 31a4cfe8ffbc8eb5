package io.holdfast.commit.group;

import io.holdfast.event.EventMessage;
import io.holdfast.event.EventReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the events that repeatable parts have committed in an earlier run. A part's events are committed together, so
 * its first event id is sufficient. A batch without repeatable parts needs no query.
 */
final class EarlierRuns {

    private static final int PROBE = 16;

    private EarlierRuns() {}

    /** Returns the stored events of the repeatable parts that were committed earlier, in the order of their positions. */
    static Map<PartId, List<EventMessage>> find(List<CommitUnit> units, EventReader log) {
        Set<PartId> open = new HashSet<>();
        for (CommitUnit unit : units) {
            unit.parts().stream()
                    .filter(EarlierRuns::mayHaveEvents)
                    .map(Part::id)
                    .forEach(open::add);
        }
        Map<PartId, List<EventMessage>> found = new HashMap<>();
        int from = 0;
        for (int count = 1; !open.isEmpty(); count = PROBE) {
            open = probe(open, from, count, log, found);
            from += count;
        }
        found.values().forEach(events -> events.sort(Comparator.comparingLong(EventMessage::position)));
        return found;
    }

    private static boolean mayHaveEvents(Part part) {
        return part.repeatable() && !part.decisions().isEmpty();
    }

    /** @return the parts of which all ids in this range exist, so that there may be more */
    private static Set<PartId> probe(
            Set<PartId> parts, int from, int count, EventReader log, Map<PartId, List<EventMessage>> found) {
        Map<UUID, PartId> byId = new HashMap<>();
        for (PartId part : parts) {
            for (int index = from; index < from + count; index++) {
                byId.put(part.eventId(index), part);
            }
        }
        Set<PartId> more = new HashSet<>();
        for (EventMessage event : log.find(byId.keySet())) {
            PartId part = byId.get(event.id());
            if (part != null) {
                List<EventMessage> events = found.computeIfAbsent(part, unknown -> new ArrayList<>());
                events.add(event);
                if (events.size() == from + count) {
                    more.add(part);
                }
            }
        }
        return more;
    }
}
