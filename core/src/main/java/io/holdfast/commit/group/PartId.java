package io.holdfast.commit.group;

import io.holdfast.event.EventIds;
import io.holdfast.event.Names;
import java.util.UUID;

/**
 * Identifies a part: one component's handling of one event or command.
 *
 * @param cause the id of the event or command
 * @param component the component's stable id, for example {@code orders/fulfilment/payments}
 */
public record PartId(UUID cause, String component) {

    public PartId {
        Names.require("component id", component);
    }

    /** Returns the id of the {@code index}-th event that this part appends. Every run derives the same id. */
    public UUID eventId(int index) {
        return EventIds.derive(cause, component, index);
    }
}
