package io.holdfast.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The position of an event in its service's log, and its predecessor in the stream. A reader uses them, with the
 * event's id, to detect what the wire has lost.
 *
 * @param log the log and its epoch
 * @param position 1, 2, 3, … across all streams of the log, without gaps, in commit order
 * @param previousPosition the position of the previous event in the stream, or 0 for the first
 * @param previousId the id of the previous event in the stream, or null for the first
 */
public record LogPosition(LogIdentity log, long position, long previousPosition, @Nullable UUID previousId) {

    public LogPosition {
        if (previousPosition < 0 || position <= previousPosition || (previousPosition == 0) != (previousId == null)) {
            throw new IllegalArgumentException(
                    "position " + position + " cannot follow position " + previousPosition + " with id " + previousId);
        }
    }
}
