package io.holdfast.commit.group;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;

/** The states and rows that a decision reads. */
interface StateLayer {

    <S> AggregateState<S> state(AggregateType<S> type, String key);

    Overlay.DecidedRow row(View<?> view, RowKey key);
}
