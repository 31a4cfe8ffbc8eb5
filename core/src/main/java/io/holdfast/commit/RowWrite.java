package io.holdfast.commit;

import io.holdfast.event.Payload;
import io.holdfast.view.RowIndex;
import io.holdfast.view.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * A row as a unit writes it. The unit is rejected if the row is no longer at {@code fromVersion}.
 *
 * @param fromVersion the row's version before the write; 0 if it was never written
 * @param version the row's version after it, which is higher
 * @param value null to remove the row
 * @param index the row's place in the index of its view
 */
public record RowWrite(RowKey key, long fromVersion, long version, @Nullable Payload value, RowIndex index) {

    /** Creates a write of a row that is found by its key only. */
    public RowWrite(RowKey key, long fromVersion, long version, @Nullable Payload value) {
        this(key, fromVersion, version, value, RowIndex.NONE);
    }
}
