package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.deadletter.LetterRange.PositionedLetter;
import io.holdfast.admin.deadletter.NewestSequences.ComponentSequence;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Lists entries: the sequence with the newest first letter comes first, and the letters of a sequence are listed
 * together and in order. Thread-safe.
 *
 * <p>Without a filter, and for a component, a processor or PENDING, it reads only the sequences up to the end of the
 * page, and the letters of the page. Other filters scan everything that is parked, because the store has no totals for
 * them.
 */
final class DeadLetterListing {

    private static final int MAX_READ_SIZE = 500;

    private final DeadLetterStore store;
    private final ServiceComponents components;

    DeadLetterListing(DeadLetterStore store, ServiceComponents components) {
        this.store = store;
        this.components = components;
    }

    DeadLetterPage find(DeadLetterQuery query) {
        requireKnown(query);
        List<ManagedComponent> selected =
                components.all().stream().filter(query::matches).toList();
        return query.filtersByEvent() ? findByEvent(query, selected) : findBySequence(query, selected);
    }

    /** Rejects misspelled names of this service: an empty page would suggest that nothing is parked. */
    private void requireKnown(DeadLetterQuery query) {
        String service = query.service();
        if (service != null && !service.equals(components.service())) {
            return;
        }
        if (query.component() != null) {
            components.requireComponents(query.component());
        }
        if (query.processor() != null) {
            components.requireProcessor(query.processor());
        }
    }

    private DeadLetterPage findBySequence(DeadLetterQuery query, List<ManagedComponent> selected) {
        boolean isCounted = query.status() == null || query.status() == SequenceState.PENDING;
        long total = isCounted ? total(query, selected) : 0;
        if (isCounted && query.offset() >= total) {
            return new DeadLetterPage(List.of(), total);
        }
        PageWindow window = new PageWindow(query.offset(), query.limit());
        List<LetterRange> ranges = new ArrayList<>();
        Iterator<ComponentSequence> sequences = new NewestSequences(store, selected, readSize(query));
        while (sequences.hasNext() && !(isCounted && window.isFull())) {
            ComponentSequence found = sequences.next();
            if (query.matches(found.sequence())) {
                window.accept(found.sequence().size())
                        .ifPresent(part -> ranges.add(new LetterRange(found, part.from(), part.count())));
            }
        }
        List<DeadLetterEntry> entries = LetterRange.read(store, ranges).stream()
                .map(PositionedLetter::entry)
                .toList();
        return new DeadLetterPage(entries, isCounted ? total : window.seen());
    }

    private DeadLetterPage findByEvent(DeadLetterQuery query, List<ManagedComponent> selected) {
        PageWindow window = new PageWindow(query.offset(), query.limit());
        List<DeadLetterEntry> entries = new ArrayList<>();
        Iterator<ComponentSequence> sequences = new NewestSequences(store, selected, MAX_READ_SIZE);
        while (sequences.hasNext()) {
            for (PositionedLetter letter : LetterRange.read(store, nextBatch(sequences, query))) {
                if (query.matches(letter.letter()) && window.accept(1).isPresent()) {
                    entries.add(letter.entry());
                }
            }
        }
        return new DeadLetterPage(entries, window.seen());
    }

    /** Returns as many sequences as are read together, with all their letters. */
    private static List<LetterRange> nextBatch(Iterator<ComponentSequence> sequences, DeadLetterQuery query) {
        List<LetterRange> batch = new ArrayList<>();
        int letters = 0;
        while (sequences.hasNext() && letters < MAX_READ_SIZE) {
            ComponentSequence next = sequences.next();
            if (query.matches(next.sequence())) {
                batch.add(new LetterRange(next, 0, next.sequence().size()));
                letters += next.sequence().size();
            }
        }
        return batch;
    }

    private long total(DeadLetterQuery query, List<ManagedComponent> selected) {
        return selected.stream()
                .map(component -> store.counts(component.id()))
                .mapToLong(query.status() == null ? QueueCounts::letters : QueueCounts::pendingLetters)
                .sum();
    }

    private static int readSize(DeadLetterQuery query) {
        return (int) Math.min(MAX_READ_SIZE, query.offset() + query.limit());
    }
}
