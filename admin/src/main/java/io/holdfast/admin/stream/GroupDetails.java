package io.holdfast.admin.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.event.Epoch;
import io.holdfast.wire.ConsumerGroup;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group at the source of a stream.
 *
 * @param service the source
 * @param start the position where it started to read; null until that is resolved
 * @param reached the position of its last report; null until its start is resolved
 * @param head the position of the newest event of the stream
 * @param lag the number of positions between the head and what the group has processed; null if its start is unknown
 * @param reportedAt when it last reported
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupDetails(
        String service,
        String name,
        String stream,
        @Nullable Long start,
        @Nullable Long reached,
        long head,
        @Nullable Long lag,
        Instant reportedAt) {

    static GroupDetails of(String service, ConsumerGroup group, long head, List<Epoch> epochs) {
        return new GroupDetails(
                service,
                group.name(),
                group.stream(),
                group.start() == null ? null : group.start().position(),
                group.reached() == null ? null : group.reached().position(),
                head,
                group.start() == null ? null : Math.max(0, head - group.consumedPosition(epochs)),
                group.reportedAt());
    }
}
