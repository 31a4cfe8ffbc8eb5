package io.holdfast.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a parked event.
 *
 * @param payload the content of the event: maps, lists, texts, numbers; null if it did not come along
 * @param payloadRevision the shape of the content
 * @param cause why it could not be handled; null if it was parked behind another of its sequence
 * @param attemptHistory the tries that failed, oldest first
 * @param diagnostics what a policy has noted
 * @param before the entries before it in its sequence, the nearest ones, in their order
 * @param behind the entries that wait behind it, the nearest ones, in their order
 * @param occurredAt when the event happened
 * @param eventSource the service that it happened in
 * @param eventSequence its number within its aggregate
 * @param logPosition its place in the log of that service
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

    /** How many entries before and behind it are named at most. */
    public static final int NEIGHBOURS = 20;
}
