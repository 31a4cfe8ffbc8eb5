package io.holdfast.failover;

import io.holdfast.event.EventMessage;
import java.util.UUID;

/**
 * A committed event that this process has read or written.
 *
 * @param epoch the epoch of the log at that time
 * @param order counts the events that this process has seen, in the order in which it has seen them
 */
public record SeenEvent(long position, UUID id, int epoch, long order) {

    public static SeenEvent of(EventMessage event, long order) {
        return new SeenEvent(
                event.position(), event.id(), event.logPosition().log().epoch(), order);
    }
}
