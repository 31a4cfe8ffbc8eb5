package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.List;

/** What may follow what in a stream, and what to say when it does not. */
final class StreamChain {

    private StreamChain() {}

    static StreamPosition start(StreamHead head, StartAt start) {
        return start == StartAt.NOW ? head.reached() : StreamPosition.beginning(head.log());
    }

    static void checkSameLog(String stream, StreamPosition reader, LogIdentity source) {
        if (!reader.log().equals(source)) {
            throw new StreamBrokenException(
                    "stream " + stream + " was read from log " + reader.log() + " up to position "
                            + reader.position() + ", but its source now is log " + source
                            + ": it was replaced or restored. Nothing is skipped; reset the reader or restore the source");
        }
    }

    /** @throws StreamBrokenException if the source's own answer does not follow the position */
    static List<EventMessage> following(String stream, StreamPosition after, List<EventMessage> events) {
        StreamPosition reached = after;
        for (EventMessage event : events) {
            if (!reached.isFollowedBy(event)) {
                throw new StreamBrokenException("stream " + stream + " has no event directly behind position "
                        + reached.position() + " (id " + reached.id() + "): the next one is at position "
                        + event.position() + " and follows position "
                        + event.place().previousPosition() + " (id "
                        + event.place().previousId()
                        + "). What lies between was removed or rewritten. Nothing is skipped; reset the reader");
            }
            reached = event.reached();
        }
        return events;
    }
}
