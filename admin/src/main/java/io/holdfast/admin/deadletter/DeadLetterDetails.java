package io.holdfast.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parked event with its full context.
 *
 * @param payload the content of the event, as maps, lists, texts and numbers; null if the wire could not carry it
 * @param payloadRevision the revision of the payload's type
 * @param cause why the event could not be handled; null if it was parked behind another letter of its sequence
 * @param attemptHistory the failed attempts, oldest first
 * @param diagnostics the diagnostics that a policy has added
 * @param before the ids of the nearest entries before this one in its sequence, in order
 * @param behind the ids of the nearest entries that wait behind this one, in order
 * @param occurredAt when the event occurred
 * @param eventSource the service that committed the event
 * @param eventSequence the version of the event within its key
 * @param logPosition the position of the event in the log of that service
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterDetails(
        @JsonUnwrapped DeadLetterEntry entry,
        @Nullable Object payload,
        int payloadRevision,
        @Nullable Cause cause,
        List<Attempt> attemptHistory,
        Map<String, String> diagnostics,
        Map<String, String> metadata,
        List<String> before,
        List<String> behind,
        Instant occurredAt,
        String eventSource,
        long eventSequence,
        long logPosition) {

    /** Maximum number of entries listed before, and of entries listed behind. */
    public static final int NEIGHBOURS = 20;
}
