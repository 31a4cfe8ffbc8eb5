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
 * An entry with its full context.
 *
 * @param version changes whenever the letter changes; also the {@code ETag}
 * @param payloadRevision the revision of the payload's type
 * @param cause why the event could not be handled; null if it was parked behind another letter of its sequence
 * @param attemptHistory the failed attempts, oldest first
 * @param diagnostics the diagnostics that a policy has added
 * @param before the ids of the nearest entries before this one in its sequence, in order
 * @param behind the ids of the nearest entries that wait behind this one, in order
 * @param receipts the ids of the newest receipts of actions on this letter
 * @param occurredAt when the event occurred
 * @param eventSource the service that committed the event
 * @param eventSequence the version of the event within its key
 * @param logPosition the position of the event in the log of that service
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterDetails(
        @JsonUnwrapped DeadLetterEntry entry,
        String version,
        int payloadRevision,
        @Nullable Cause cause,
        List<Attempt> attemptHistory,
        Map<String, String> diagnostics,
        Map<String, String> metadata,
        List<String> before,
        List<String> behind,
        List<String> receipts,
        Instant occurredAt,
        String eventSource,
        long eventSequence,
        long logPosition) {

    /** Maximum number of entries listed before, and of entries listed behind. */
    public static final int NEIGHBOURS = 20;

    /** Maximum number of receipts listed. */
    public static final int RECEIPTS = 20;
}
