package io.holdfast.wire;

import io.holdfast.event.Epoch;
import io.holdfast.event.Epochs;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.List;

/** What may follow what in a stream, and what to say when it does not. */
final class StreamChain {

    private StreamChain() {}

    /**
     * Where a reader stands in the newest epoch of the source. What was restored is the same up to where the epoch began,
     * so a reader that has not come further goes on.
     *
     * @throws StreamBrokenException if the reader cannot go on
     */
    static StreamPosition resumePosition(String stream, StreamPosition reader, LogIdentity source, List<Epoch> epochs) {
        StreamPosition restored = positionAfterRestore(stream, reader, source, epochs);
        if (restored.position() < reader.position()) {
            throw new StreamBrokenException("stream " + stream + " was read up to position " + reader.position()
                    + " (id " + reader.id() + ") in epoch " + reader.log().epoch()
                    + ", but its source was restored to position " + restored.position() + " and is in epoch "
                    + source.epoch() + ": it has forgotten what lies between."
                    + " Nothing is skipped; accept the restore or reset the reader");
        }
        return restored;
    }

    /** As far as the reader has come, but not beyond where the source was restored to. */
    static StreamPosition positionAfterRestore(
            String stream, StreamPosition reader, LogIdentity source, List<Epoch> epochs) {
        if (!reader.log().id().equals(source.id())) {
            throw new StreamBrokenException(
                    "stream " + stream + " was read from log " + reader.log() + " up to position "
                            + reader.position() + ", but its source now is log " + source
                            + ": it was replaced. Nothing is skipped; reset the reader or restore the source");
        }
        if (reader.log().epoch() > source.epoch()) {
            throw new StreamBrokenException("stream " + stream + " was read in epoch "
                    + reader.log().epoch() + " up to position " + reader.position()
                    + ", but its source is in epoch " + source.epoch()
                    + ": it was restored from a backup that is older than its last restore."
                    + " Nothing is skipped; raise the source's epoch, then accept the restore");
        }
        long carried = Epochs.positionInNewestEpoch(reader, epochs);
        return new StreamPosition(source, carried, carried < reader.position() ? null : reader.id());
    }

    /**
     * @param after in the source's epoch
     * @param head read before the events were, so that what it names is among them or gone
     * @throws StreamBrokenException if the source's own answer does not follow the position
     */
    static List<EventMessage> requireContiguous(
            String stream, StreamPosition after, StreamHead head, List<EventMessage> events) {
        checkNotBackInTime(stream, after, head);
        if (events.isEmpty() && head.position() > after.position()) {
            throw new StreamBrokenException("stream " + stream + " was read up to position " + after.position()
                    + " and goes up to position " + head.position()
                    + ", but its source keeps none of what lies between: it was removed."
                    + " Nothing is skipped; reset the reader");
        }
        return requireContiguous(stream, after, events);
    }

    /** @throws StreamBrokenException if the events do not follow the position and one another */
    static List<EventMessage> requireContiguous(String stream, StreamPosition after, List<EventMessage> events) {
        StreamPosition reached = after;
        for (EventMessage event : events) {
            if (!reached.isFollowedBy(event)) {
                throw new StreamBrokenException("stream " + stream + " has no event directly behind position "
                        + reached.position() + " (id " + reached.id() + "): the next one is at position "
                        + event.position() + " and follows position "
                        + event.logPosition().previousPosition() + " (id "
                        + event.logPosition().previousId()
                        + "). What lies between was removed or rewritten. Nothing is skipped; reset the reader");
            }
            reached = event.streamPosition();
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
