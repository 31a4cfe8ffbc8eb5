package io.holdfast.view;

import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads views as what they are: typed rows. For any number of threads. */
public final class ViewRows {

    private final ViewStore store;
    private final PayloadCodec codec;

    public ViewRows(ViewStore store, PayloadCodec codec) {
        this.store = store;
        this.codec = codec;
    }

    public <R> Optional<R> find(View<R> view, String key) {
        return store.find(List.of(new RowKey(view.name(), key))).stream()
                .findFirst()
                .map(Row::value)
                .map(value -> codec.decode(value, view.rowType()));
    }

    /** Rows with keys above {@code afterKey} (empty for the start), in key order, at most {@code limit}. */
    public <R> Map<String, R> page(View<R> view, String afterKey, int limit) {
        Map<String, R> rows = new TreeMap<>();
        for (Row row : store.page(view.name(), afterKey, limit)) {
            Payload value = row.value();
            if (value != null) {
                rows.put(row.key().key(), codec.decode(value, view.rowType()));
            }
        }
        return rows;
    }
}
