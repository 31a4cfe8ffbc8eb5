package io.holdfast.commit;

import io.holdfast.event.Payload;
import io.holdfast.view.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * A row as a unit leaves it.
 *
 * @param version the version that the row will have: one more than it had
 * @param value null to remove it
 */
public record RowWrite(RowKey key, long version, @Nullable Payload value) {}
