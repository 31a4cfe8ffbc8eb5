package io.holdfast.examples.shop.demo;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.event.EventMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Looks for gaps: positions 1, 2, 3, … over a log, sequences 1, 2, 3, … within a key, each stream a chain. */
final class Histories {

    private Histories() {}

    /** @param events of one log, as it gives them */
    static List<String> gaps(String service, List<EventMessage> events) {
        List<String> gaps = new ArrayList<>();
        Map<AggregateKey, Long> sequences = new HashMap<>();
        Map<String, Long> streams = new HashMap<>();
        Set<UUID> ids = new HashSet<>();
        long position = 0;
        for (EventMessage event : events) {
            AggregateKey key = new AggregateKey(event.stream(), event.key());
            expect(gaps, service + " position", ++position, event.position());
            expect(gaps, key + " sequence", sequences.merge(key, 1L, Long::sum), event.sequence());
            Long before = streams.put(event.stream(), event.position());
            expect(
                    gaps,
                    key + " previous position",
                    before == null ? 0 : before,
                    event.place().previousPosition());
            if (!ids.add(event.id())) {
                gaps.add(service + " has event " + event.id() + " twice");
            }
        }
        return gaps;
    }

    private static void expect(List<String> gaps, String what, long expected, long found) {
        if (expected != found) {
            gaps.add(what + " should be " + expected + ", but is " + found);
        }
    }
}
