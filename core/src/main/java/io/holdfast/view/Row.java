package io.holdfast.view;

import io.holdfast.event.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A stored row.
 *
 * @param version increased by every write, removals included, by a random number: a version that a failover has lost is
 *     not used again. 0 if the row was never written
 * @param value the encoded row, or null if it does not exist or was removed
 */
public record Row(RowKey key, long version, @Nullable Payload value) {

    public static Row neverWritten(RowKey key) {
        return new Row(key, 0, null);
    }
}
