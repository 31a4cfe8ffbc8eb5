package io.holdfast.admin.receipt;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects receipts. A filter that is null matches everything.
 *
 * @param kind the kind of action, for example {@code REPLAY}
 * @param target the entry, processor, ... that the action was requested for
 * @param isOpen whether items are open
 * @param after the last receipt of the previous page; null for the first page
 */
public record ReceiptFilter(
        @Nullable String operator,
        @Nullable String kind,
        @Nullable String target,
        @Nullable Boolean isOpen,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Cursor after,
        int limit) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 500;

    /** A place in the list of receipts, newest first, then by id. */
    public record Cursor(Instant requestedAt, String receiptId) {

        static Cursor of(ReceiptDetails receipt) {
            return new Cursor(receipt.requestedAt(), receipt.receiptId());
        }
    }
}
