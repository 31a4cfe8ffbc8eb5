package io.holdfast.view;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change to one row of a view, run by the committer on the newest row.
 *
 * @param change a pure function from the row, or null if there is none, to the new row, or null to remove it; it may be
 *     run more than once
 */
public record RowUpdate<R>(View<R> view, String key, UnaryOperator<@Nullable R> change) {

    public RowKey rowKey() {
        return new RowKey(view.name(), key);
    }
}
