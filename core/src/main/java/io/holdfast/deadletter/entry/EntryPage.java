package io.holdfast.deadletter.entry;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of entries.
 *
 * @param entries in the order of {@link EntryCursor}
 * @param next where the next page starts; null if there is none
 * @param searchedUntil set if the search ended before the page was full, because it had examined as many letters as a
 *     request may: up to the entries of this time, all that match are listed. The next page continues the search
 */
public record EntryPage(List<Entry> entries, @Nullable EntryCursor next, @Nullable Instant searchedUntil) {

    public EntryPage {
        entries = List.copyOf(entries);
    }
}
