package io.holdfast.wire;

import io.holdfast.event.Epoch;
import io.holdfast.event.Epochs;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a stream, as the stream's source knows it.
 *
 * @param name unique among all services: service and processor
 * @param start where it began to read; null while that is being resolved, and then nothing is removed
 * @param reached the position that it last reported, its start at first; null as long as the start is
 * @param reportedAt when it last reported; when it registered at first
 */
public record ConsumerGroup(
        String name,
        String stream,
        @Nullable StreamPosition start,
        @Nullable StreamPosition reached,
        Instant reportedAt) {

    /**
     * Everything at or below has been dealt with by this group, of what the log has in its newest epoch. The start is a
     * position of this log; a report from another one, which this replaced, says nothing about it.
     */
    public long consumedPosition(List<Epoch> epochs) {
        if (start == null || reached == null) {
            return 0;
        }
        boolean ofThisLog = reached.log().id().equals(start.log().id());
        return Epochs.positionInNewestEpoch(ofThisLog ? reached : start, epochs);
    }
}
