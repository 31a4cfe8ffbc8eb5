package io.holdfast.commit.group;

import io.holdfast.event.EventMessage;
import java.util.List;

/**
 * The events of a committed part.
 *
 * @param events in the order in which they were appended
 * @param duplicate whether an earlier run had committed them; nothing was written for this part now, except its rows
 *     {@linkplain CommitUnit#asAfterReset after a reset}
 */
public record PartResult(PartId id, List<EventMessage> events, boolean duplicate) {

    public PartResult {
        events = List.copyOf(events);
    }
}
