package io.holdfast.commit;

import io.holdfast.event.EventMessage;
import java.util.List;

/**
 * The result of a committed session.
 *
 * @param head the head's number after this commit, see {@link CommitSession#lockHead}
 * @param events the committed events with their positions, in the order in which they were written
 */
public record CommitResult(long head, List<EventMessage> events) {

    public CommitResult {
        events = List.copyOf(events);
    }
}
