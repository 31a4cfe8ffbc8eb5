package io.holdfast.admin.saga;

import io.holdfast.PermanentException;
import io.holdfast.saga.SagaStatus;
import io.holdfast.view.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * Selects sagas. A filter that is null matches everything, except that placeholders are only found by their status.
 *
 * @param type the saga type
 * @param attention whether the saga needs an operator's attention
 * @param overdue whether the saga awaits an event much longer than usual, see {@link OverdueSearch}
 * @param after the last saga of the previous page; null for the newest ones
 * @param limit the page size, 1 to {@link #MAX_LIMIT}
 */
public record SagaQuery(
        @Nullable String type,
        @Nullable SagaStatus status,
        @Nullable Boolean attention,
        @Nullable Boolean overdue,
        @Nullable RowCursor after,
        int limit) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 200;

    public SagaQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new PermanentException("limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
    }
}
