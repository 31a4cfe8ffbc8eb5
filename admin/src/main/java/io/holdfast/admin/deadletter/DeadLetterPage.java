package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.entry.EntryCursor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the entries of all services that match a query.
 *
 * @param total the number of matching entries on all pages
 * @param isAtLeast whether counting has stopped at {@code total}
 * @param next the place after which the next page starts; null if this is the last one
 * @param searchedUntil how far the search got before it examined its maximum of letters; null if the page is full or the
 *     last one
 * @param incomplete the services that have not answered
 */
public record DeadLetterPage(
        List<DeadLetterEntry> entries,
        long total,
        boolean isAtLeast,
        @Nullable EntryCursor next,
        @Nullable Instant searchedUntil,
        List<String> incomplete) {

    public DeadLetterPage {
        entries = List.copyOf(entries);
        incomplete = List.copyOf(incomplete);
    }

    /** Returns the page behind the last entry. */
    DeadLetterPage withoutEntries() {
        return new DeadLetterPage(List.of(), total, isAtLeast, null, searchedUntil, incomplete);
    }
}
