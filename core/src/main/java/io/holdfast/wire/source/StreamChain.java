package io.holdfast.wire.source;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.List;
import java.util.UUID;

/** Checks that events follow a reader's position without a gap, and explains it if they do not. */
final class StreamChain {

    private StreamChain() {}

    /**
     * Returns the reader's position in the newest epoch of the source. A reader whose event the source still contains
     * continues, and so does one at or below the start of the epoch: up to there, the log is unchanged.
     *
     * @param head the head of the source, in its newest epoch
     * @param events what the source has after the reader's position
     * @throws StreamBrokenException if the reader cannot continue
     */
    static StreamPosition resumePosition(
            String stream, StreamPosition reader, StreamHead head, List<Epoch> epochs, List<EventMessage> events) {
        RestoredPosition restored = positionAfterRestore(stream, reader, head, epochs, events);
        StreamPosition resume = restored.resume();
        if (restored.unchanged() && resume != null) {
            return resume;
        }
        throw new StreamBrokenException("stream " + stream + " was read up to position " + reader.position() + " (id "
                + reader.id() + ") in epoch " + reader.log().epoch() + ", but its source was restored to position "
                + (resume == null ? head.position() : resume.position()) + " and is in epoch "
                + head.log().epoch() + ": the events in between are lost."
                + " Nothing is skipped; accept the restore or reset the reader");
    }

    /** As {@link #resumePosition}, for a reader that may have to move back. */
    static RestoredPosition positionAfterRestore(
            String stream, StreamPosition reader, StreamHead head, List<Epoch> epochs, List<EventMessage> events) {
        LogIdentity source = head.log();
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
        boolean isOlder = reader.log().epoch() < source.epoch();
        long restored = reader.positionInNewestEpoch(epochs);
        boolean isBelowStart = isOlder && restored == reader.position();
        if ((isBelowStart && reader.id() == null) || contains(reader, head, events)) {
            return new RestoredPosition(true, new StreamPosition(source, reader.position(), reader.id()));
        }
        boolean isKnown = isOlder && !isBelowStart;
        return new RestoredPosition(false, isKnown ? new StreamPosition(source, restored, null) : null);
    }

    /**
     * Compares by id: the source may have other events at the same positions. An event above the reader that follows a
     * removed one shows nothing about the reader's event, so it counts as contained.
     */
    private static boolean contains(StreamPosition reader, StreamHead head, List<EventMessage> events) {
        long previous =
                events.isEmpty() ? head.position() : events.get(0).logPosition().previousPosition();
        UUID previousId =
                events.isEmpty() ? head.id() : events.get(0).logPosition().previousId();
        return previous == reader.position()
                ? reader.id() == null || reader.id().equals(previousId)
                : previous > reader.position() || (reader.id() == null && head.position() >= reader.position());
    }

    /**
     * @param after a position in the source's epoch
     * @param head read before the events, so that the event it names is among them or was removed
     * @throws StreamBrokenException if the source's own response does not follow the position
     */
    static List<EventMessage> requireContiguous(
            String stream, StreamPosition after, StreamHead head, List<EventMessage> events) {
        checkNotBackInTime(stream, after, head);
        if (events.isEmpty() && head.position() > after.position()) {
            throw new StreamBrokenException("stream " + stream + " was read up to position " + after.position()
                    + " and ends at position " + head.position()
                    + ", but its source no longer has the events in between: they were removed."
                    + " Nothing is skipped; reset the reader");
        }
        return requireContiguous(stream, after, events);
    }

    /** @throws StreamBrokenException if the events do not follow the position and each other */
    static List<EventMessage> requireContiguous(String stream, StreamPosition after, List<EventMessage> events) {
        StreamPosition reached = after;
        for (EventMessage event : events) {
            if (!reached.isFollowedBy(event)) {
                throw new StreamBrokenException("stream " + stream + " has no event directly after position "
                        + reached.position() + " (id " + reached.id() + "): the next one is at position "
                        + event.position() + " and follows position "
                        + event.logPosition().previousPosition() + " (id "
                        + event.logPosition().previousId()
                        + "). The events in between were removed or rewritten. Nothing is skipped; reset the reader");
            }
            reached = event.streamPosition();
        }
        return events;
    }

    /** Returns whether the head names another event than the reader at the reader's position. */
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
