package io.holdfast.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link KeyRead}: a snapshot, events, or both.
 *
 * @param snapshot null if none was requested, or none of the requested format is stored
 * @param events in version order; if there is a snapshot, they start with the last event that it includes, unless
 *     the log has lost that one
 */
public record KeyHistory(String stream, String key, @Nullable Snapshot snapshot, List<EventMessage> events) {

    public KeyHistory {
        events = List.copyOf(events);
    }
}
