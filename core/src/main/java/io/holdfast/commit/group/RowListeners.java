package io.holdfast.commit.group;

import io.holdfast.view.View;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies listeners of committed changes of rows. Thread-safe. */
final class RowListeners {

    private static final Logger log = LoggerFactory.getLogger(RowListeners.class);

    private final Map<String, List<Consumer<RowChange<?>>>> listeners = new ConcurrentHashMap<>();

    @SuppressWarnings("unchecked") // the rows of a view have its row type
    <R> void add(View<R> view, Consumer<RowChange<R>> listener) {
        listeners
                .computeIfAbsent(view.name(), unknown -> new CopyOnWriteArrayList<>())
                .add(change -> listener.accept((RowChange<R>) change));
    }

    boolean has(View<?> view) {
        return listeners.containsKey(view.name());
    }

    /** Logs the failure of a listener, because the commit cannot be undone. */
    void notifyOf(List<CommittedChange> changes) {
        for (CommittedChange change : changes) {
            for (Consumer<RowChange<?>> listener :
                    listeners.getOrDefault(change.view().name(), List.of())) {
                try {
                    listener.accept(change.row());
                } catch (RuntimeException e) {
                    log.warn(
                            "A row listener failed for {}/{}: {}",
                            change.view().name(),
                            change.row().key(),
                            e.toString());
                }
            }
        }
    }

    /** A change with its view. */
    record CommittedChange(View<?> view, RowChange<?> row) {}
}
