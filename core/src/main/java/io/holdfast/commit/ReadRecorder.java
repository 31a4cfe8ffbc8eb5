package io.holdfast.commit;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateState;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;

/** Records what one unit reads of the layer below it. A unit also reads whatever it changes. */
final class ReadRecorder implements StateLayer {

    private final StateLayer below;
    private final TouchedKeys reads = new TouchedKeys();

    ReadRecorder(StateLayer below) {
        this.below = below;
    }

    TouchedKeys reads() {
        return reads;
    }

    @Override
    public <S> AggregateState<S> state(AggregateType<S> type, String key) {
        reads.add(new AggregateKey(type.stream(), key));
        return below.state(type, key);
    }

    @Override
    public Overlay.DecidedRow row(View<?> view, RowKey key) {
        reads.add(key);
        return below.row(view, key);
    }
}
