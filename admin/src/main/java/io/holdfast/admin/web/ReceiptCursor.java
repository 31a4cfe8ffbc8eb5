package io.holdfast.admin.web;

import io.holdfast.admin.receipt.ReceiptFilter.Cursor;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** The text form of a place in a list of receipts. Clients pass it back unchanged. */
final class ReceiptCursor {

    private static final String SEPARATOR = " ";

    private ReceiptCursor() {}

    static String encode(Cursor cursor) {
        String text = cursor.requestedAt() + SEPARATOR + cursor.receiptId();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the place; empty if the text is not from {@link #encode}. */
    static Optional<Cursor> decode(String text) {
        try {
            String decoded = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int end = decoded.indexOf(SEPARATOR);
            return end < 0 || end + 1 == decoded.length()
                    ? Optional.empty()
                    : Optional.of(new Cursor(Instant.parse(decoded.substring(0, end)), decoded.substring(end + 1)))
                            .filter(cursor -> encode(cursor).equals(text));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
