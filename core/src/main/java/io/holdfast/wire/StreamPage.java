package io.holdfast.wire;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import java.util.List;

/**
 * A source's response, read from its log.
 *
 * @param head the stream's newest event, read before the events: the event it names is among them or was removed;
 *     with the log's identity
 * @param epochs the epochs of the log, oldest first
 * @param events in position order; empty if there are none above the requested position
 */
public record StreamPage(StreamHead head, List<Epoch> epochs, List<EventMessage> events) {

    public StreamPage {
        epochs = List.copyOf(epochs);
        events = List.copyOf(events);
    }
}
