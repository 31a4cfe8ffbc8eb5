package io.holdfast.view;

import io.holdfast.event.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A stored row.
 *
 * @param version the number of writes of the row, removals included; 0 if it was never written
 * @param value the encoded row, or null if it does not exist or was removed
 */
public record Row(RowKey key, long version, @Nullable Payload value) {

    public static Row neverWritten(RowKey key) {
        return new Row(key, 0, null);
    }
}
