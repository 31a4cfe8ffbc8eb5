package io.holdfast.admin.deadletter;

import io.holdfast.admin.deadletter.DeadLetterPart.PlacedEntry;
import io.holdfast.deadletter.entry.EntryCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;

/** Merges the parts of several services into one page. A part that ends early bounds the page: nothing is skipped. */
final class MergedPage {

    private MergedPage() {}

    /** The next entry of a part, and those after it. */
    private record Source(PlacedEntry first, Iterator<PlacedEntry> rest) {

        static Optional<Source> of(Iterator<PlacedEntry> entries) {
            return entries.hasNext() ? Optional.of(new Source(entries.next(), entries)) : Optional.empty();
        }
    }

    static DeadLetterPage of(Collection<DeadLetterPart> parts, int limit, List<String> incomplete) {
        Optional<EntryCursor> bound =
                parts.stream().map(DeadLetterPart::end).filter(Objects::nonNull).min(Comparator.naturalOrder());
        List<PlacedEntry> merged = merge(parts, limit, bound);
        boolean isFull = merged.size() == limit;
        EntryCursor last =
                merged.isEmpty() ? null : merged.get(merged.size() - 1).place();
        boolean hasMore = bound.isPresent() || size(parts) > merged.size();
        boolean stoppedEarly = parts.stream().anyMatch(DeadLetterPart::stoppedEarly);
        Instant searchedUntil =
                isFull || !stoppedEarly ? null : bound.map(EntryCursor::time).orElse(null);
        return new DeadLetterPage(
                merged.stream().map(PlacedEntry::entry).toList(),
                parts.stream().mapToLong(DeadLetterPart::total).sum(),
                parts.stream().anyMatch(DeadLetterPart::isAtLeast),
                hasMore ? (isFull ? last : bound.orElse(last)) : null,
                searchedUntil,
                incomplete);
    }

    private static List<PlacedEntry> merge(Collection<DeadLetterPart> parts, int limit, Optional<EntryCursor> bound) {
        PriorityQueue<Source> sources = new PriorityQueue<>(
                Comparator.comparing(source -> source.first().place()));
        parts.forEach(part -> Source.of(part.entries().iterator()).ifPresent(sources::add));
        List<PlacedEntry> merged = new ArrayList<>();
        while (merged.size() < limit && !sources.isEmpty()) {
            Source next = sources.remove();
            if (bound.isPresent() && next.first().place().compareTo(bound.get()) > 0) {
                break;
            }
            merged.add(next.first());
            Source.of(next.rest()).ifPresent(sources::add);
        }
        return merged;
    }

    private static int size(Collection<DeadLetterPart> parts) {
        return parts.stream().mapToInt(part -> part.entries().size()).sum();
    }
}
