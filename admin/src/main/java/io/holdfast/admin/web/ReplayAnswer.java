package io.holdfast.admin.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.ReplayResult;
import io.holdfast.deadletter.Cause;
import org.jspecify.annotations.Nullable;

/**
 * What came of a replay.
 *
 * @param status replayed, already-applied, failed-again, discarded, gone or replaying
 * @param outcome what became of the letter; missing while that is not known
 * @param failureReason why it failed again
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReplayAnswer(
        String status,
        String dlqEntryId,
        @Nullable String outcome,
        @Nullable String failureReason,
        @Nullable Cause cause) {

    /** @param result of a letter that there was */
    static ReplayAnswer of(String id, ReplayResult result) {
        return switch (result.status()) {
            case APPLIED -> answer("replayed", id, "APPLIED");
            case ALREADY_APPLIED -> answer("already-applied", id, "APPLIED");
            case DISCARDED -> answer("discarded", id, "DISCARDED");
            case LEFT -> answer("gone", id, "LEFT");
            case FAILED_AGAIN -> failedAgain(id, result.cause());
            case RUNNING, NOT_FIRST, NOT_FOUND -> answer("replaying", id, null);
        };
    }

    private static ReplayAnswer answer(String status, String id, @Nullable String outcome) {
        return new ReplayAnswer(status, id, outcome, null, null);
    }

    private static ReplayAnswer failedAgain(String id, @Nullable Cause cause) {
        return new ReplayAnswer("failed-again", id, "FAILED", cause == null ? null : cause.summary(), cause);
    }
}
