package io.holdfast.view;

import io.holdfast.event.Names;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The place of a row in the index of its view. Times have microseconds, as databases store them.
 *
 * @param tag what rows are listed and counted by, for example {@code OrderFulfillment/COMPLETED}; null for none
 * @param at orders the rows of a tag; required with a tag
 * @param dueAt when the row must be looked at; null for never
 */
public record RowIndex(@Nullable String tag, @Nullable Instant at, @Nullable Instant dueAt) {

    /** The index of a row that is found by its key only. */
    public static final RowIndex NONE = new RowIndex(null, null, null);

    public RowIndex {
        if (tag != null) {
            Names.require("tag of a row", tag);
        }
        if ((tag == null) != (at == null)) {
            throw new IllegalArgumentException(
                    "a tag needs a time, and a time needs a tag, but the row has tag " + tag + " and time " + at);
        }
        at = truncated(at);
        dueAt = truncated(dueAt);
    }

    private static @Nullable Instant truncated(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}
