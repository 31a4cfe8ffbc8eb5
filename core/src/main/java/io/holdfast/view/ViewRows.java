package io.holdfast.view;

import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads views as typed rows. A row of a higher revision than its class is not decoded, because it could be misread:
 * reading it throws {@link io.holdfast.event.UnsupportedHereException}. Thread-safe.
 */
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
                .flatMap(row -> Optional.ofNullable(decode(view, row)));
    }

    /**
     * Returns rows with keys above {@code afterKey} (empty for the start), in key order, at most {@code limit}. The
     * next page starts after the last key.
     */
    public <R> Map<String, R> page(View<R> view, String afterKey, int limit) {
        return rows(view, "", store.page(view.name(), afterKey, limit));
    }

    /**
     * Like {@link #page}, restricted to keys that start with a prefix and are longer than it: for example those of
     * one customer, if the keys are {@code customer/order}.
     */
    public <R> Map<String, R> pageWithin(View<R> view, String prefix, String afterKey, int limit) {
        String from = afterKey.startsWith(prefix) ? afterKey : prefix;
        return rows(view, prefix, store.page(view.name(), from, limit));
    }

    private <R> Map<String, R> rows(View<R> view, String prefix, List<Row> page) {
        Map<String, R> rows = new LinkedHashMap<>(); // in the store's order, which may differ from Java's
        for (Row row : page) {
            String key = row.key().key();
            if (!key.startsWith(prefix)) {
                break;
            }
            R value = decode(view, row);
            if (value != null) {
                rows.put(key, value);
            }
        }
        return rows;
    }

    private <R> @Nullable R decode(View<R> view, Row row) {
        Payload value = row.value();
        if (value == null) {
            return null;
        }
        codec.requireKnownRevision(value, view.rowType(), "row " + row.key());
        return codec.decode(value, view.rowType());
    }
}
