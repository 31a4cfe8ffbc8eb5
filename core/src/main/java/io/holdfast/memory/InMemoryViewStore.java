package io.holdfast.memory;

import io.holdfast.commit.RowWrite;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows by view and key; of a removed row, the version remains. Guarded by its own monitor. */
final class InMemoryViewStore implements ViewStore {

    private final Map<String, InMemoryView> views = new HashMap<>();

    @Override
    public synchronized List<Row> find(Collection<RowKey> keys) {
        return keys.stream().distinct().map(this::row).toList();
    }

    @Override
    public synchronized List<Row> page(String view, String afterKey, int limit) {
        return view(view).page(afterKey, limit);
    }

    @Override
    public synchronized List<Row> findDue(String view, Instant now, int limit) {
        return view(view).findDue(now, limit);
    }

    @Override
    public synchronized Optional<Instant> findNextDue(String view) {
        return view(view).findNextDue();
    }

    @Override
    public synchronized List<Row> findTagged(
            String view, Collection<String> tags, @Nullable RowCursor after, int limit) {
        return view(view).findTagged(tags, after, limit);
    }

    @Override
    public synchronized Map<String, String> findTags(String view, Collection<String> keys) {
        return view(view).findTags(keys);
    }

    @Override
    public synchronized long count(String view, Collection<String> tags, long limit) {
        return view(view).count(tags, limit);
    }

    @Override
    public synchronized int purge(Collection<Row> rows) {
        return (int)
                rows.stream().filter(row -> view(row.key().view()).purge(row)).count();
    }

    synchronized Row row(RowKey key) {
        Row row = view(key.view()).find(key.key());
        return row == null ? Row.neverWritten(key) : row;
    }

    synchronized void put(RowWrite write) {
        view(write.key().view()).put(write);
    }

    private InMemoryView view(String name) {
        return views.computeIfAbsent(name, unknown -> new InMemoryView());
    }
}
