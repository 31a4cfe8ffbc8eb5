package io.holdfast.admin.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.deadletter.Cause;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of the letter, or other target, of an action.
 *
 * @param status for example replayed, failed-again, already-applied, discarded, not-tried
 * @param dlqEntryId the entry, if the action is about a letter
 * @param target the target, if it is not a letter
 * @param outcome as in the receipt
 * @param replayedFrom the first letter of the sequence, where a replay starts
 * @param detail distinguishes cases of one outcome
 * @param failureReason why the letter failed again or was not tried
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ActionResponse(
        String status,
        @Nullable String dlqEntryId,
        @Nullable String target,
        String outcome,
        String receiptId,
        @Nullable String replayedFrom,
        @Nullable String detail,
        @Nullable String failureReason,
        @Nullable Cause cause) {

    private static final String REPLAY = "REPLAY";
    private static final String REPLAYED_FROM = "replayedFrom";

    /** @param receipt of an action with one item, which has an outcome */
    static ActionResponse of(ReceiptDetails receipt, ReceiptDetails.Item item, String outcome) {
        Cause cause = item.cause();
        return new ActionResponse(
                status(receipt.kind(), outcome),
                item.dlqEntryId(),
                item.target(),
                outcome,
                receipt.receiptId(),
                receipt.options().get(REPLAYED_FROM),
                item.detail(),
                cause == null ? null : cause.summary(),
                cause);
    }

    /** An applied replay is "replayed", as in the articles; other outcomes are their own names. */
    private static String status(String kind, String outcome) {
        boolean isReplay = kind.equals(REPLAY) && outcome.equals("APPLIED");
        return isReplay ? "replayed" : outcome.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
