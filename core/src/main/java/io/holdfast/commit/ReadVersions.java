package io.holdfast.commit;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.view.RowKey;
import java.util.Map;

/** The committed versions that decisions have read. */
public record ReadVersions(Map<AggregateKey, Long> keys, Map<RowKey, Long> rows) {

    public ReadVersions {
        keys = Map.copyOf(keys);
        rows = Map.copyOf(rows);
    }

    boolean isEmpty() {
        return keys.isEmpty() && rows.isEmpty();
    }
}
