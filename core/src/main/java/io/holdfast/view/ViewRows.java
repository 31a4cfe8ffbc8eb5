package io.holdfast.view;

import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /**
     * Rows with keys above {@code afterKey} (empty for the start), in key order, at most {@code limit}. The last key is where the
     * next page goes on.
     */
    public <R> Map<String, R> page(View<R> view, String afterKey, int limit) {
        return rows(view, "", store.page(view.name(), afterKey, limit));
    }

    /**
     * As {@link #page}, of those rows only whose keys begin with a prefix and go on after it: those of one customer, if the keys
     * are {@code customer/order}.
     */
    public <R> Map<String, R> pageWithin(View<R> view, String prefix, String afterKey, int limit) {
        String from = afterKey.startsWith(prefix) ? afterKey : prefix;
        return rows(view, prefix, store.page(view.name(), from, limit));
    }

    private <R> Map<String, R> rows(View<R> view, String prefix, List<Row> page) {
        Map<String, R> rows = new LinkedHashMap<>(); // in the order of the store, which need not be that of Java
        for (Row row : page) {
            String key = row.key().key();
            if (!key.startsWith(prefix)) {
                break;
            }
            Payload value = row.value();
            if (value != null) {
                rows.put(key, codec.decode(value, view.rowType()));
            }
        }
        return rows;
    }
}
