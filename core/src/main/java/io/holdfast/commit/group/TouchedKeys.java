package io.holdfast.commit.group;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.ReadVersions;
import io.holdfast.view.RowKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** Keys and rows that units have read or changed. Not thread-safe. */
final class TouchedKeys {

    private final Set<AggregateKey> keys = new HashSet<>();
    private final Set<RowKey> rows = new HashSet<>();

    void add(AggregateKey key) {
        keys.add(key);
    }

    void add(RowKey row) {
        rows.add(row);
    }

    void addAll(ReadVersions versions) {
        keys.addAll(versions.keys().keySet());
        rows.addAll(versions.rows().keySet());
    }

    void addAll(Overlay changes) {
        keys.addAll(changes.states().keySet());
        rows.addAll(changes.rows().keySet());
    }

    boolean intersects(TouchedKeys others) {
        return !Collections.disjoint(keys, others.keys) || !Collections.disjoint(rows, others.rows);
    }
}
