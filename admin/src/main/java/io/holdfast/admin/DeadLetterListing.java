package io.holdfast.admin;

import io.holdfast.admin.ListedLetters.Listed;
import io.holdfast.admin.NewestSequences.Found;
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

    private static final int LARGEST_READ = 500;

    private final DeadLetterStore store;
    private final ServiceComponents components;

    DeadLetterListing(DeadLetterStore store, ServiceComponents components) {
        this.store = store;
        this.components = components;
    }

    DeadLetterPage find(DeadLetterQuery query) {
        requireKnown(query);
        List<OperatedComponent> wanted =
                components.all().stream().filter(query::wants).toList();
        return query.isAboutEvents() ? findByEvent(query, wanted) : findBySequence(query, wanted);
    }

    /** An empty answer to a name that is misspelled would say that nothing is parked. Of other services no names are known. */
    private void requireKnown(DeadLetterQuery query) {
        String service = query.service();
        if (service != null && !service.equals(components.service())) {
            return;
        }
        if (query.component() != null) {
            components.requireCalled(query.component());
        }
        if (query.processor() != null) {
            components.requireProcessor(query.processor());
        }
    }

    private DeadLetterPage findBySequence(DeadLetterQuery query, List<OperatedComponent> wanted) {
        boolean isCounted = query.status() == null || query.status() == SequenceState.PENDING;
        long known = isCounted ? counted(query, wanted) : 0;
        if (isCounted && query.skipped() >= known) {
            return new DeadLetterPage(List.of(), known);
        }
        PageWindow window = new PageWindow(query.skipped(), query.limit());
        List<ListedLetters> listed = new ArrayList<>();
        Iterator<Found> sequences = new NewestSequences(store, wanted, readSize(query));
        while (sequences.hasNext() && !(isCounted && window.isFull())) {
            Found found = sequences.next();
            if (query.wants(found.sequence())) {
                window.accept(found.sequence().size())
                        .ifPresent(part -> listed.add(new ListedLetters(found, part.from(), part.count())));
            }
        }
        List<DeadLetterEntry> entries =
                ListedLetters.read(store, listed).stream().map(Listed::entry).toList();
        return new DeadLetterPage(entries, isCounted ? known : window.seen());
    }

    private DeadLetterPage findByEvent(DeadLetterQuery query, List<OperatedComponent> wanted) {
        PageWindow window = new PageWindow(query.skipped(), query.limit());
        List<DeadLetterEntry> entries = new ArrayList<>();
        Iterator<Found> sequences = new NewestSequences(store, wanted, LARGEST_READ);
        while (sequences.hasNext()) {
            for (Listed listed : ListedLetters.read(store, some(sequences, query))) {
                if (query.wants(listed.letter()) && window.accept(1).isPresent()) {
                    entries.add(listed.entry());
                }
            }
        }
        return new DeadLetterPage(entries, window.seen());
    }

    /** As many as can be read at once, with all their letters. */
    private static List<ListedLetters> some(Iterator<Found> sequences, DeadLetterQuery query) {
        List<ListedLetters> some = new ArrayList<>();
        int letters = 0;
        while (sequences.hasNext() && letters < LARGEST_READ) {
            Found next = sequences.next();
            if (query.wants(next.sequence())) {
                some.add(new ListedLetters(next, 0, next.sequence().size()));
                letters += next.sequence().size();
            }
        }
        return some;
    }

    private long counted(DeadLetterQuery query, List<OperatedComponent> wanted) {
        return wanted.stream()
                .map(component -> store.counts(component.id()))
                .mapToLong(query.status() == null ? QueueCounts::letters : QueueCounts::pendingLetters)
                .sum();
    }

    private static int readSize(DeadLetterQuery query) {
        return (int) Math.min(LARGEST_READ, query.skipped() + query.limit());
    }
}
