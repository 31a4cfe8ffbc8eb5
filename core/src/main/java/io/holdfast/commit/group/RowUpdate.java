package io.holdfast.commit.group;

import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change to one row of a view. The committer applies it to the newest row.
 *
 * @param change a pure function from the row, or null if it does not exist, to the new row, or null to remove it. It
 *     may run more than once.
 */
public record RowUpdate<R>(View<R> view, String key, UnaryOperator<@Nullable R> change) {

    public RowKey rowKey() {
        return new RowKey(view.name(), key);
    }
}
