package io.holdfast.commit;

import io.holdfast.event.Payload;
import io.holdfast.view.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * A row as a unit writes it.
 *
 * @param version the row's new version, one above the current one
 * @param value null to remove the row
 */
public record RowWrite(RowKey key, long version, @Nullable Payload value) {}
