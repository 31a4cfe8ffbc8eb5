package io.holdfast.commit;

import io.holdfast.event.EventMessage;
import java.util.List;

/**
 * What a session has made durable.
 *
 * @param head the head's number after this commit, see {@link CommitSession#lockHead}
 * @param events placed, in the order in which they were written
 */
public record CommitResult(long head, List<EventMessage> events) {

    public CommitResult {
        events = List.copyOf(events);
    }
}
