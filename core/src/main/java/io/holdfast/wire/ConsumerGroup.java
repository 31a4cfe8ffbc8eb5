package io.holdfast.wire;

import io.holdfast.event.Epoch;
import io.holdfast.event.StreamPosition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The durable registration of a consumer at the source of a stream.
 *
 * @param name unique among all services: service and processor
 * @param start where it started to read; null until that is resolved, and nothing is removed until then
 * @param reached the position of its last report, initially its start; null as long as the start is
 * @param reportedAt when it last reported, initially when it registered
 */
public record ConsumerGroup(
        String name,
        String stream,
        @Nullable StreamPosition start,
        @Nullable StreamPosition reached,
        Instant reportedAt) {

    /**
     * Returns the position up to which this group has processed the log in its newest epoch. The start belongs to
     * this log. A report from another log, which this one replaced, is ignored.
     */
    public long consumedPosition(List<Epoch> epochs) {
        if (start == null || reached == null) {
            return 0;
        }
        boolean isOfThisLog = reached.log().id().equals(start.log().id());
        return (isOfThisLog ? reached : start).positionInNewestEpoch(epochs);
    }
}
