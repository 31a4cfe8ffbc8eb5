package io.holdfast.view;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The last row of a page of tagged rows.
 *
 * @param at the row's time in the index
 * @param key the row's key
 */
public record RowCursor(Instant at, String key) {

    public RowCursor {
        at = at.truncatedTo(ChronoUnit.MICROS);
    }
}
