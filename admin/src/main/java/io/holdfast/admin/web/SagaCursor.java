package io.holdfast.admin.web;

import io.holdfast.view.RowCursor;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** The text form of a place in a list of sagas. Clients pass it back unchanged. */
final class SagaCursor {

    private static final String SEPARATOR = " ";

    private SagaCursor() {}

    static String encode(RowCursor cursor) {
        String text = cursor.at() + SEPARATOR + cursor.key();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the place; empty if the text is not from {@link #encode}. */
    static Optional<RowCursor> decode(String text) {
        try {
            String decoded = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int end = decoded.indexOf(SEPARATOR);
            if (end < 0 || end + 1 == decoded.length()) {
                return Optional.empty();
            }
            RowCursor cursor = new RowCursor(Instant.parse(decoded.substring(0, end)), decoded.substring(end + 1));
            return encode(cursor).equals(text) ? Optional.of(cursor) : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
