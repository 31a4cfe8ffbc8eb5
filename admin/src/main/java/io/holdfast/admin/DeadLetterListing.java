package io.holdfast.admin;

import io.holdfast.admin.LetterRange.PositionedLetter;
import io.holdfast.admin.NewestSequences.ComponentSequence;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Lists entries: the sequence with the youngest head first, the letters of a sequence together and in their order.
 *
 * <p>Without a filter, and for a component, a processor or PENDING, it reads as many sequences as the page and those before it
 * have, and the letters of the page. Other filters look at everything that is parked, since nobody keeps their totals.
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
        List<ManagedComponent> wanted =
                components.all().stream().filter(query::matches).toList();
        return query.filtersByEvent() ? findByEvent(query, wanted) : findBySequence(query, wanted);
    }

    /** An empty answer to a name that is misspelled would say that nothing is parked. Of other services no names are known. */
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

    private DeadLetterPage findBySequence(DeadLetterQuery query, List<ManagedComponent> wanted) {
        boolean isCounted = query.status() == null || query.status() == SequenceState.PENDING;
        long known = isCounted ? total(query, wanted) : 0;
        if (isCounted && query.offset() >= known) {
            return new DeadLetterPage(List.of(), known);
        }
        PageWindow window = new PageWindow(query.offset(), query.limit());
        List<LetterRange> listed = new ArrayList<>();
        Iterator<ComponentSequence> sequences = new NewestSequences(store, wanted, readSize(query));
        while (sequences.hasNext() && !(isCounted && window.isFull())) {
            ComponentSequence found = sequences.next();
            if (query.matches(found.sequence())) {
                window.accept(found.sequence().size())
                        .ifPresent(part -> listed.add(new LetterRange(found, part.from(), part.count())));
            }
        }
        List<DeadLetterEntry> entries = LetterRange.read(store, listed).stream()
                .map(PositionedLetter::entry)
                .toList();
        return new DeadLetterPage(entries, isCounted ? known : window.seen());
    }

    private DeadLetterPage findByEvent(DeadLetterQuery query, List<ManagedComponent> wanted) {
        PageWindow window = new PageWindow(query.offset(), query.limit());
        List<DeadLetterEntry> entries = new ArrayList<>();
        Iterator<ComponentSequence> sequences = new NewestSequences(store, wanted, MAX_READ_SIZE);
        while (sequences.hasNext()) {
            for (PositionedLetter listed : LetterRange.read(store, nextBatch(sequences, query))) {
                if (query.matches(listed.letter()) && window.accept(1).isPresent()) {
                    entries.add(listed.entry());
                }
            }
        }
        return new DeadLetterPage(entries, window.seen());
    }

    /** As many as can be read at once, with all their letters. */
    private static List<LetterRange> nextBatch(Iterator<ComponentSequence> sequences, DeadLetterQuery query) {
        List<LetterRange> some = new ArrayList<>();
        int letters = 0;
        while (sequences.hasNext() && letters < MAX_READ_SIZE) {
            ComponentSequence next = sequences.next();
            if (query.matches(next.sequence())) {
                some.add(new LetterRange(next, 0, next.sequence().size()));
                letters += next.sequence().size();
            }
        }
        return some;
    }

    private long total(DeadLetterQuery query, List<ManagedComponent> wanted) {
        return wanted.stream()
                .map(component -> store.counts(component.id()))
                .mapToLong(query.status() == null ? QueueCounts::letters : QueueCounts::pendingLetters)
                .sum();
    }

    private static int readSize(DeadLetterQuery query) {
        return (int) Math.min(MAX_READ_SIZE, query.offset() + query.limit());
    }
}
