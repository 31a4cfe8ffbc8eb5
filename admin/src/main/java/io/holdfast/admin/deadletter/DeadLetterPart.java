package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.entry.EntryCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one service answers to a query.
 *
 * @param entries in the order of their places
 * @param end the place up to which the part is complete; null if no further entry matches
 * @param stoppedEarly whether the search examined its maximum of letters before the page was full
 * @param total the number of matching entries on all pages
 * @param isAtLeast whether counting has stopped at {@code total}
 * @param unknown the name in the query that the service does not have, with those that it has; null if it has it
 */
record DeadLetterPart(
        List<PlacedEntry> entries,
        @Nullable EntryCursor end,
        boolean stoppedEarly,
        long total,
        boolean isAtLeast,
        @Nullable String unknown) {

    /** An entry with its place in the list. */
    record PlacedEntry(EntryCursor place, DeadLetterEntry entry) {}

    DeadLetterPart {
        entries = List.copyOf(entries);
    }
}
