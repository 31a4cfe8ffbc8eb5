package io.holdfast.wire;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import java.util.List;

/**
 * A source's answer, straight from its log.
 *
 * @param head the stream's newest event when the page was read, and not later: what it names is among the events, or
 *     gone; with the log's identity
 * @param epochs the lives of the log, oldest first
 * @param events in position order; empty when there is nothing above the position that was asked for
 */
public record StreamPage(StreamHead head, List<Epoch> epochs, List<EventMessage> events) {

    public StreamPage {
        epochs = List.copyOf(epochs);
        events = List.copyOf(events);
    }
}
