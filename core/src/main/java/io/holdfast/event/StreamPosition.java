package io.holdfast.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a reader has come in one stream: everything at or below {@code position} has been dealt with.
 *
 * @param log the log that the position belongs to
 * @param position 0 before the first event
 * @param id the event at that position, or null where the reader began without one
 */
public record StreamPosition(LogIdentity log, long position, @Nullable UUID id) {

    public static StreamPosition beginning(LogIdentity log) {
        return new StreamPosition(log, 0, null);
    }

    /**
     * Whether the event comes next after this position: nothing of its stream lies between. Where the reader knows the
     * event that it stands on, the next one must follow exactly that: one that reaches over it comes from a history in
     * which it did not happen.
     */
    public boolean isFollowedBy(EventMessage event) {
        LogPosition place = event.logPosition();
        boolean connects = id == null
                ? place.previousPosition() <= position
                : place.previousPosition() == position && id.equals(place.previousId());
        return place.log().equals(log) && connects && position < place.position();
    }

    /** Whether the event was dealt with before this position was reached. */
    public boolean covers(EventMessage event) {
        return event.logPosition().log().equals(log) && event.position() <= position;
    }
}
