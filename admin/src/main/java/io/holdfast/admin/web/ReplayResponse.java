package io.holdfast.admin.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.deadletter.ReplayResult;
import io.holdfast.deadletter.Cause;
import org.jspecify.annotations.Nullable;

/**
 * The response to a replay request.
 *
 * @param status replayed, already-applied, failed-again, not-tried, discarded, cleared or replaying
 * @param outcome the outcome of the letter; missing while it is unknown
 * @param failureReason why the letter failed again or was not tried
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReplayResponse(
        String status,
        String dlqEntryId,
        @Nullable String outcome,
        @Nullable String failureReason,
        @Nullable Cause cause) {

    /** @param result the result of replaying a letter that was parked */
    static ReplayResponse of(String id, ReplayResult result) {
        return switch (result.status()) {
            case APPLIED -> response("replayed", id, "APPLIED");
            case ALREADY_APPLIED -> response("already-applied", id, "APPLIED");
            case DISCARDED -> response("discarded", id, "DISCARDED");
            case CLEARED -> response("cleared", id, "CLEARED");
            case NOT_TRIED -> withCause("not-tried", id, "NOT_TRIED", result.cause());
            case FAILED_AGAIN -> withCause("failed-again", id, "FAILED", result.cause());
            case RUNNING, NOT_FIRST, NOT_FOUND -> response("replaying", id, null);
        };
    }

    private static ReplayResponse response(String status, String id, @Nullable String outcome) {
        return new ReplayResponse(status, id, outcome, null, null);
    }

    private static ReplayResponse withCause(String status, String id, String outcome, @Nullable Cause cause) {
        return new ReplayResponse(status, id, outcome, cause == null ? null : cause.summary(), cause);
    }
}
