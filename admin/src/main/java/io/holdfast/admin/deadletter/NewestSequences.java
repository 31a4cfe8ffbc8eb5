package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceCursor;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the parked sequences of several components, the one with the newest first letter first. Reads lazily,
 * page by page. A sequence that changes during the iteration may be missed or returned twice. Not thread-safe.
 */
final class NewestSequences implements Iterator<NewestSequences.ComponentSequence> {

    private static final Comparator<Pages> NEWEST_FIRST = Comparator.comparing(
                    (Pages pages) -> pages.first().since(), Comparator.reverseOrder())
            .thenComparing(pages -> pages.component.id());

    private final PriorityQueue<Pages> waiting = new PriorityQueue<>(NEWEST_FIRST);

    /** @param pageSize the number of sequences read per component and call */
    NewestSequences(DeadLetterStore store, Collection<ManagedComponent> components, int pageSize) {
        components.forEach(component -> addIfNotEmpty(new Pages(store, component, pageSize)));
    }

    /** A parked sequence and its component. */
    record ComponentSequence(ManagedComponent component, ParkedSequence sequence) {}

    private void addIfNotEmpty(Pages pages) {
        if (pages.hasNext()) {
            waiting.add(pages);
        }
    }

    @Override
    public boolean hasNext() {
        return !waiting.isEmpty();
    }

    @Override
    public ComponentSequence next() {
        Pages newest = waiting.poll();
        if (newest == null) {
            throw new NoSuchElementException();
        }
        ComponentSequence found = new ComponentSequence(newest.component, newest.buffered.remove());
        addIfNotEmpty(newest);
        return found;
    }

    /** The sequences of one component. */
    private static final class Pages {

        private final DeadLetterStore store;
        private final ManagedComponent component;
        private final int pageSize;
        private final Queue<ParkedSequence> buffered = new ArrayDeque<>();
        private @Nullable SequenceCursor cursor;
        private boolean exhausted;

        Pages(DeadLetterStore store, ManagedComponent component, int pageSize) {
            this.store = store;
            this.component = component;
            this.pageSize = pageSize;
        }

        ParkedSequence first() {
            return buffered.element();
        }

        boolean hasNext() {
            if (buffered.isEmpty() && !exhausted) {
                List<ParkedSequence> next = store.findNewest(component.id(), cursor, pageSize);
                exhausted = next.size() < pageSize;
                cursor = next.isEmpty() ? cursor : SequenceCursor.byAge(next.get(next.size() - 1));
                buffered.addAll(next);
            }
            return !buffered.isEmpty();
        }
    }
}
