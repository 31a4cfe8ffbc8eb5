package io.holdfast.commit;

import io.holdfast.event.EventIds;
import io.holdfast.event.Names;
import java.util.UUID;

/**
 * Who produces effects for what: the handling of one event or command by one component.
 *
 * @param cause the id of the event or command
 * @param component the component's stable id, for example {@code orders/fulfilment/payments}
 */
public record PartId(UUID cause, String component) {

    public PartId {
        Names.require("component id", component);
    }

    /** The id of the {@code index}-th event that this part appends, the same in every run. */
    public UUID eventId(int index) {
        return EventIds.derive(cause, component, index);
    }
}
