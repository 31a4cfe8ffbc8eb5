package io.holdfast.processing;

import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Events whose handlers have run and that wait to be committed, in order. For one thread. */
final class HandledEvents {

    private final List<HandledEvent> events = new ArrayList<>();

    void add(HandledEvent event) {
        events.add(event);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    int size() {
        return events.size();
    }

    EventMessage first() {
        return events.get(0).event();
    }

    void replaceFirst(HandledEvent event) {
        events.set(0, event);
    }

    /** The first {@code count} are durable. */
    void committed(int count) {
        events.subList(0, count).clear();
    }

    void clear() {
        events.clear();
    }

    /** How many stand before the first event that one of these parts belongs to. */
    int countBefore(Set<PartId> failed) {
        int index = 0;
        while (index < events.size() && !events.get(index).hasAny(failed)) {
            index++;
        }
        return index;
    }

    /** The positions that the first {@code count} lead to, by stream. */
    Map<String, StreamPosition> reached(int count) {
        Map<String, StreamPosition> positions = new HashMap<>();
        for (HandledEvent handled : events.subList(0, count)) {
            positions.put(handled.event().stream(), handled.event().reached());
        }
        return positions;
    }

    /** One unit for the effects of the first {@code count} and the position behind them. */
    CommitUnit unit(int count, TokenClaim claim, Token token) {
        List<Part> parts = events.subList(0, count).stream()
                .flatMap(handled -> handled.parts().stream())
                .toList();
        return CommitUnit.of(parts, new TokenAdvance(claim, token.version(), reached(count)));
    }
}
