package io.holdfast.eventsourcing;

import io.holdfast.event.EventMessage;
import java.util.List;

/**
 * What a command left in the log, durable.
 *
 * @param duplicate whether an earlier run of the same command had done it
 */
public record CommandResult(List<EventMessage> events, boolean duplicate) {

    public CommandResult {
        events = List.copyOf(events);
    }
}
