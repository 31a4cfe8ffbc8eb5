package io.holdfast.admin.receipt;

import io.holdfast.admin.gateway.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an owner answers about its actions. */
final class ReceiptEndpoints {

    /** Stores an action, waits for it about a second, and replies with its receipt. */
    static final Endpoint<Submission, ReceiptDetails> SUBMIT =
            new Endpoint<>("action.submit", Submission.class, ReceiptDetails.class);

    /** Replies with the receipt when the action completes, or with its current state after the given time. */
    static final Endpoint<ReceiptQuestion, ReceiptAnswer> READ =
            new Endpoint<>("receipt.read", ReceiptQuestion.class, ReceiptAnswer.class);

    static final Endpoint<ReceiptFilter, ReceiptList> FIND =
            new Endpoint<>("receipt.find", ReceiptFilter.class, ReceiptList.class);

    /** Ends an action: its open items are not tried. */
    static final Endpoint<ReceiptQuestion, ReceiptAnswer> STOP =
            new Endpoint<>("receipt.stop", ReceiptQuestion.class, ReceiptAnswer.class);

    private ReceiptEndpoints() {}

    /**
     * @param fromItem the first item to show
     * @param waitMs how long to wait until the action is done
     */
    record ReceiptQuestion(String receiptId, int fromItem, long waitMs) {}

    /** @param receipt null if the service has no such receipt */
    record ReceiptAnswer(@Nullable ReceiptDetails receipt) {}

    /** Newest first. */
    record ReceiptList(List<ReceiptDetails> receipts) {}
}
