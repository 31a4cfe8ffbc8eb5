package io.holdfast.admin.saga;

import io.holdfast.view.RowCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sagas that one service has found, newest first.
 *
 * @param tracked whether the service tracks or runs sagas of the requested type
 * @param next the last saga that was read; null if there are no more
 */
record FoundSagas(boolean tracked, List<Entry> sagas, @Nullable RowCursor next) {

    static final FoundSagas NOT_TRACKED = new FoundSagas(false, List.of(), null);

    /** A saga and its place in the list. */
    record Entry(SagaDetails saga, RowCursor cursor) {}
}
