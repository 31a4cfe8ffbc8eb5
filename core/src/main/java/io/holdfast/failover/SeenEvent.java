package io.holdfast.failover;

import io.holdfast.event.EventMessage;
import java.util.UUID;

/**
 * A committed event that this process has read or written.
 *
 * @param epoch the epoch of the log at that time
 */
public record SeenEvent(long position, UUID id, int epoch) {

    static SeenEvent of(EventMessage event) {
        return new SeenEvent(
                event.position(), event.id(), event.logPosition().log().epoch());
    }
}
