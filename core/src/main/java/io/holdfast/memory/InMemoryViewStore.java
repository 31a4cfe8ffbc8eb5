package io.holdfast.memory;

import io.holdfast.commit.RowWrite;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Rows by view and key; of a removed row, the version remains. Guarded by its own monitor. */
final class InMemoryViewStore implements ViewStore {

    private final Map<String, NavigableMap<String, Row>> views = new HashMap<>();

    @Override
    public synchronized List<Row> find(Collection<RowKey> keys) {
        return keys.stream().distinct().map(this::row).toList();
    }

    @Override
    public synchronized List<Row> page(String view, String afterKey, int limit) {
        return views.getOrDefault(view, new TreeMap<>()).tailMap(afterKey, false).values().stream()
                .filter(row -> row.value() != null)
                .limit(limit)
                .toList();
    }

    synchronized Row row(RowKey key) {
        return views.getOrDefault(key.view(), new TreeMap<>()).getOrDefault(key.key(), Row.neverWritten(key));
    }

    synchronized void put(RowWrite write) {
        RowKey key = write.key();
        views.computeIfAbsent(key.view(), unknown -> new TreeMap<>())
                .put(key.key(), new Row(key, write.version(), write.value()));
    }
}
