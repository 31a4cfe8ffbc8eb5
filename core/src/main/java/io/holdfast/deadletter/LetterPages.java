package io.holdfast.deadletter;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;

/** Reads the letters of a sequence page by page. Paging by number returns no letter twice. Not thread-safe. */
final class LetterPages implements Iterator<DeadLetter> {

    private static final int PAGE_SIZE = 100;

    private final DeadLetterStore store;
    private final SequenceId sequence;
    private final Queue<DeadLetter> page = new ArrayDeque<>();
    private long next = Long.MIN_VALUE; // a restored letter may have a negative number
    private boolean exhausted;

    LetterPages(DeadLetterStore store, SequenceId sequence) {
        this.store = store;
        this.sequence = sequence;
    }

    @Override
    public boolean hasNext() {
        if (page.isEmpty() && !exhausted) {
            page.addAll(store.findLetters(sequence, next, PAGE_SIZE));
            exhausted = page.size() < PAGE_SIZE;
            page.forEach(letter -> next = letter.number() + 1);
        }
        return !page.isEmpty();
    }

    @Override
    public DeadLetter next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.remove();
    }
}
