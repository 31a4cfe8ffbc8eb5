package io.holdfast.eventsourcing;

import io.holdfast.event.EventMessage;
import java.util.List;

/**
 * The durable events of a command.
 *
 * @param duplicate whether an earlier run of the same command had committed them
 */
public record CommandResult(List<EventMessage> events, boolean duplicate) {

    public CommandResult {
        events = List.copyOf(events);
    }
}
