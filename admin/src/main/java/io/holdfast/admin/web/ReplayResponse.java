package io.holdfast.admin.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.deadletter.ReplayResult;
import io.holdfast.deadletter.Cause;
import org.jspecify.annotations.Nullable;

/**
 * The response to a replay request.
 *
 * @param status replayed, already-applied, failed-again, discarded, gone or replaying
 * @param outcome the outcome of the letter; missing while it is unknown
 * @param failureReason why the letter failed again
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
            case GONE -> response("gone", id, "LEFT");
            case FAILED_AGAIN -> failedAgain(id, result.cause());
            case RUNNING, NOT_FIRST, NOT_FOUND -> response("replaying", id, null);
        };
    }

    private static ReplayResponse response(String status, String id, @Nullable String outcome) {
        return new ReplayResponse(status, id, outcome, null, null);
    }

    private static ReplayResponse failedAgain(String id, @Nullable Cause cause) {
        return new ReplayResponse("failed-again", id, "FAILED", cause == null ? null : cause.summary(), cause);
    }
}
