package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPlace;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.List;

/** What may follow what in a stream, and what to say when it does not. */
final class StreamChain {

    private StreamChain() {}

    /**
     * @param head read before {@code kept} was
     * @param kept the first events that are kept, or none
     */
    static StreamPosition start(StreamHead head, List<EventMessage> kept, StartAt start) {
        if (start == StartAt.NOW || kept.isEmpty()) {
            return head.reached();
        }
        LogPlace first = kept.get(0).place();
        return new StreamPosition(first.log(), first.previousPosition(), first.previousId());
    }

    static void checkSameLog(String stream, StreamPosition reader, LogIdentity source) {
        if (!reader.log().equals(source)) {
            throw new StreamBrokenException(
                    "stream " + stream + " was read from log " + reader.log() + " up to position "
                            + reader.position() + ", but its source now is log " + source
                            + ": it was replaced or restored. Nothing is skipped; reset the reader or restore the source");
        }
    }

    /**
     * @param head read before the events were, so that what it names is among them or gone
     * @throws StreamBrokenException if the source's own answer does not follow the position
     */
    static List<EventMessage> following(
            String stream, StreamPosition after, StreamHead head, List<EventMessage> events) {
        checkSameLog(stream, after, head.log());
        checkNotBackInTime(stream, after, head);
        if (events.isEmpty() && head.position() > after.position()) {
            throw new StreamBrokenException("stream " + stream + " was read up to position " + after.position()
                    + " and goes up to position " + head.position()
                    + ", but its source keeps none of what lies between: it was removed."
                    + " Nothing is skipped; reset the reader");
        }
        return following(stream, after, events);
    }

    /** @throws StreamBrokenException if the events do not follow the position and one another */
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

    /** Whether the head shows an event other than the reader's at the reader's position. */
    static boolean isRewritten(StreamPosition reader, StreamHead head) {
        return reader.id() != null
                && head.position() == reader.position()
                && !reader.id().equals(head.id());
    }

    private static void checkNotBackInTime(String stream, StreamPosition reader, StreamHead head) {
        boolean below = reader.id() != null && head.position() < reader.position();
        if (below || isRewritten(reader, head)) {
            throw new StreamBrokenException("stream " + stream + " was read up to position " + reader.position()
                    + " (id " + reader.id() + "), but its source ends at position " + head.position() + " (id "
                    + head.id()
                    + "): it went back in time. Nothing is skipped; reset the reader or restore the source");
        }
    }
}
