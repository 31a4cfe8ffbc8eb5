package io.holdfast.jdbc;

import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryPage;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first matching entries of one kind.
 *
 * @param entries in order; one more than the page has, if there are more
 * @param stoppedAt the last letter that was examined, if the search ended before it had found all; otherwise null
 */
record EntrySearch(List<Entry> entries, @Nullable EntryCursor stoppedAt) {

    static final EntrySearch NONE = new EntrySearch(List.of(), null);

    /** Returns the page of two searches. What one has found beyond the end of the other is left to the next page. */
    EntryPage page(EntrySearch other, int limit) {
        EntryCursor stop = Stream.of(this, other)
                .map(EntrySearch::stoppedAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<Entry> found = Stream.concat(entries.stream(), other.entries.stream())
                .sorted(Comparator.comparing(Entry::cursor))
                .filter(entry -> stop == null || entry.cursor().compareTo(stop) <= 0)
                .toList();
        if (found.size() > limit) {
            return new EntryPage(found.subList(0, limit), found.get(limit - 1).cursor(), null);
        }
        return new EntryPage(found, stop, stop == null ? null : stop.time());
    }
}
