package io.holdfast.commit.group;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Records what one unit reads of the layer below it. A unit also reads whatever it changes. */
final class ReadRecorder implements StateLayer {

    private final StateLayer below;
    private final TouchedKeys reads = new TouchedKeys();
    private final Map<RowKey, Overlay.DecidedRow> rows = new HashMap<>();

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
        Overlay.DecidedRow row = below.row(view, key);
        rows.putIfAbsent(key, row);
        return row;
    }

    /** Returns a row that the unit has changed, as it was before. */
    Overlay.DecidedRow before(RowKey changed) {
        return Objects.requireNonNull(rows.get(changed), "a unit reads what it changes");
    }
}
