package io.holdfast.event;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reader's position in one stream: every event at or below {@code position} has been processed.
 *
 * @param log the log that the position belongs to
 * @param position 0 before the first event
 * @param id the id of the event at that position, or null if the reader started without one
 */
public record StreamPosition(LogIdentity log, long position, @Nullable UUID id) {

    public static StreamPosition beginning(LogIdentity log) {
        return new StreamPosition(log, 0, null);
    }

    /**
     * Returns whether the event is the next one of its stream after this position. If this position has an id, the
     * event's predecessor must have the same id: an event with another predecessor comes from a history in which the
     * reader's event does not exist.
     */
    public boolean isFollowedBy(EventMessage event) {
        LogPosition next = event.logPosition();
        boolean connects = id == null
                ? next.previousPosition() <= position
                : next.previousPosition() == position && id.equals(next.previousId());
        return next.log().equals(log) && connects && position < next.position();
    }

    /** Returns whether the event is at or below this position, so that a redelivery is skipped. */
    public boolean covers(EventMessage event) {
        return event.logPosition().log().equals(log) && event.position() <= position;
    }

    /**
     * Returns how much of the newest epoch this reader has read: its own position, but at most the position at which a
     * later epoch started, because the events above it are lost.
     */
    public long positionInNewestEpoch(List<Epoch> epochs) {
        return epochs.stream()
                .filter(epoch -> epoch.number() > log.epoch())
                .mapToLong(Epoch::startPosition)
                .reduce(position, Math::min);
    }
}
