package io.holdfast.saga;

import io.holdfast.view.RowCursor;

/**
 * A saga with the version of its row.
 *
 * @param version increases with every change
 */
public record StoredSaga(SagaState state, long version) {

    /** Returns the place of this saga in a list, after which the next page begins. */
    public RowCursor cursor() {
        return new RowCursor(SagaView.time(state), state.sagaId());
    }
}
