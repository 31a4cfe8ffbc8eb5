package io.holdfast.deadletter;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sequences of a component page by page, ordered by the age of their first letter. If first letters are
 * removed meanwhile, their sequence moves to a later page; it is still returned only once. Not thread-safe.
 */
final class SequencePages implements Iterator<Iterable<DeadLetter>> {

    private static final int PAGE_SIZE = 100;

    private final DeadLetterStore store;
    private final String component;
    private final Queue<ParkedSequence> page = new ArrayDeque<>();
    private final Set<String> returned = new HashSet<>();
    private @Nullable SequenceCursor cursor;
    private boolean exhausted;

    SequencePages(DeadLetterStore store, String component) {
        this.store = store;
        this.component = component;
    }

    @Override
    public boolean hasNext() {
        while (page.isEmpty() && !exhausted) {
            List<ParkedSequence> read = store.findByAge(component, cursor, PAGE_SIZE);
            exhausted = read.size() < PAGE_SIZE;
            for (ParkedSequence sequence : read) {
                cursor = SequenceCursor.byAge(sequence);
                if (returned.add(sequence.id().sequence())) {
                    page.add(sequence);
                }
            }
        }
        return !page.isEmpty();
    }

    @Override
    public Iterable<DeadLetter> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        SequenceId sequence = page.remove().id();
        return () -> new LetterPages(store, sequence);
    }
}
