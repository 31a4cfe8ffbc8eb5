package io.holdfast.admin.web;

import io.holdfast.deadletter.entry.EntryCursor;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** The text form of a place in a list of entries. Clients pass it back unchanged. */
final class DeadLetterCursor {

    /** Names have no control characters. */
    private static final String SEPARATOR = "\n";

    private static final int PARTS = 4;

    private DeadLetterCursor() {}

    static String encode(EntryCursor place) {
        String text = String.join(
                SEPARATOR, place.time().toString(), place.component(), Long.toString(place.number()), place.sequence());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the place; empty if the text is not from {@link #encode}. */
    static Optional<EntryCursor> decode(String text) {
        try {
            String decoded = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            String[] parts = decoded.split(SEPARATOR, PARTS);
            if (parts.length < PARTS) {
                return Optional.empty();
            }
            EntryCursor place = new EntryCursor(Instant.parse(parts[0]), parts[1], parts[3], Long.parseLong(parts[2]));
            return encode(place).equals(text) ? Optional.of(place) : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
