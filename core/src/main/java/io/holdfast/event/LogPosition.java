package io.holdfast.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where an event stands in its service's log. Together with the event's id these are the fields that let a reader
 * notice what a wire has forgotten.
 *
 * @param log the log and its epoch
 * @param position 1, 2, 3, … over all streams of the log, without a gap, in commit order
 * @param previousPosition the position of the event before it in its stream, or 0 for the first
 * @param previousId the id of the event before it in its stream, or null for the first
 */
public record LogPosition(LogIdentity log, long position, long previousPosition, @Nullable UUID previousId) {

    public LogPosition {
        if (previousPosition < 0 || position <= previousPosition || (previousPosition == 0) != (previousId == null)) {
            throw new IllegalArgumentException(
                    "position " + position + " cannot follow position " + previousPosition + " with id " + previousId);
        }
    }
}
