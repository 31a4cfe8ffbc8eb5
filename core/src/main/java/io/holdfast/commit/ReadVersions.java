package io.holdfast.commit;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.view.RowKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The committed versions that decisions have read. */
public record ReadVersions(Map<AggregateKey, Long> keys, Map<RowKey, Long> rows) {

    public static final ReadVersions NONE = new ReadVersions(Map.of(), Map.of());

    public ReadVersions {
        keys = Map.copyOf(keys);
        rows = Map.copyOf(rows);
    }

    public boolean isEmpty() {
        return keys.isEmpty() && rows.isEmpty();
    }

    /**
     * Returns those versions that are no longer the committed ones, with the committed version.
     *
     * @param keyVersion the committed version of a key
     * @param rowVersion the committed version of a row
     */
    public ReadVersions changed(ToLongFunction<AggregateKey> keyVersion, ToLongFunction<RowKey> rowVersion) {
        return new ReadVersions(changed(keys, keyVersion), changed(rows, rowVersion));
    }

    private static <K> Map<K, Long> changed(Map<K, Long> read, ToLongFunction<K> committed) {
        Map<K, Long> changed = new HashMap<>();
        read.forEach((key, version) -> {
            long now = committed.applyAsLong(key);
            if (now != version) {
                changed.put(key, now);
            }
        });
        return changed;
    }
}
