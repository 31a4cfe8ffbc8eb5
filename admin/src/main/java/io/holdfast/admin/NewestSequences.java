package io.holdfast.admin;

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
 * The parked sequences of several components, that with the youngest head first, read page by page as they are asked for. One
 * that changes meanwhile may be missed or come twice. For one thread.
 */
final class NewestSequences implements Iterator<NewestSequences.Found> {

    private static final Comparator<Pages> ORDER = Comparator.comparing(
                    (Pages pages) -> pages.first().since(), Comparator.reverseOrder())
            .thenComparing(pages -> pages.component.id());

    private final PriorityQueue<Pages> waiting = new PriorityQueue<>(ORDER);

    /** @param page how many are read of a component at once */
    NewestSequences(DeadLetterStore store, Collection<OperatedComponent> components, int page) {
        components.forEach(component -> enter(new Pages(store, component, page)));
    }

    /** A sequence and whose it is. */
    record Found(OperatedComponent component, ParkedSequence sequence) {}

    private void enter(Pages pages) {
        if (pages.hasNext()) {
            waiting.add(pages);
        }
    }

    @Override
    public boolean hasNext() {
        return !waiting.isEmpty();
    }

    @Override
    public Found next() {
        Pages newest = waiting.poll();
        if (newest == null) {
            throw new NoSuchElementException();
        }
        Found found = new Found(newest.component, newest.read.remove());
        enter(newest);
        return found;
    }

    /** Those of one component. */
    private static final class Pages {

        private final DeadLetterStore store;
        private final OperatedComponent component;
        private final int page;
        private final Queue<ParkedSequence> read = new ArrayDeque<>();
        private @Nullable SequenceCursor cursor;
        private boolean exhausted;

        Pages(DeadLetterStore store, OperatedComponent component, int page) {
            this.store = store;
            this.component = component;
            this.page = page;
        }

        ParkedSequence first() {
            return read.element();
        }

        boolean hasNext() {
            if (read.isEmpty() && !exhausted) {
                List<ParkedSequence> next = store.findNewest(component.id(), cursor, page);
                exhausted = next.size() < page;
                cursor = next.isEmpty() ? cursor : SequenceCursor.byAge(next.get(next.size() - 1));
                read.addAll(next);
            }
            return !read.isEmpty();
        }
    }
}
