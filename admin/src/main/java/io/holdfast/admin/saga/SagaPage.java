package io.holdfast.admin.saga;

import io.holdfast.view.RowCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the sagas that match a query, newest first.
 *
 * @param next the last saga that was read for this page; null if there are no more
 */
public record SagaPage(List<SagaDetails> sagas, @Nullable RowCursor next) {

    public SagaPage {
        sagas = List.copyOf(sagas);
    }
}
