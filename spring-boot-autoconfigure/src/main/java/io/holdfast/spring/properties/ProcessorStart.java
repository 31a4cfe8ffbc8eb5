package io.holdfast.spring.properties;

import io.holdfast.PermanentException;
import io.holdfast.wire.StartAt;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;

/** Parses {@code framework.processors.<name>.start}: where a processor starts in a stream that it has never read. */
final class ProcessorStart {

    static final String ALLOWED = "beginning, now or a time such as 2026-01-31T12:00:00Z";

    private ProcessorStart() {}

    /** @throws PermanentException if the text is neither a keyword nor a time */
    static StartAt parse(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "beginning" -> StartAt.BEGINNING;
            case "now" -> StartAt.NOW;
            default -> StartAt.at(time(text.strip()));
        };
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new PermanentException("the start of a processor is " + text + ", but must be " + ALLOWED, e);
        }
    }
}
