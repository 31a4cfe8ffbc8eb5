package io.holdfast.commit;

import io.holdfast.event.Payload;
import io.holdfast.view.RowIndex;
import io.holdfast.view.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * A row as a unit writes it.
 *
 * @param version the row's new version, one above the current one
 * @param value null to remove the row
 * @param index the row's place in the index of its view
 */
public record RowWrite(RowKey key, long version, @Nullable Payload value, RowIndex index) {

    /** Creates a write of a row that is found by its key only. */
    public RowWrite(RowKey key, long version, @Nullable Payload value) {
        this(key, version, value, RowIndex.NONE);
    }
}
