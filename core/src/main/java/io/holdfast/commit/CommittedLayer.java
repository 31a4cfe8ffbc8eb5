package io.holdfast.commit;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateState;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import io.holdfast.view.ViewStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The committed states and rows below a batch. It remembers what was read, to be checked under the head. */
final class CommittedLayer implements StateLayer {

    private final AggregateStates states;
    private final ViewStore views;
    private final PayloadCodec codec;
    private final boolean newest;
    private final Map<AggregateKey, AggregateState<?>> readStates = new HashMap<>();
    private final Map<RowKey, Row> readRows = new HashMap<>();
    private @Nullable RetryableException failure;

    /** @param newest whether kept states are brought up to date with the log first */
    CommittedLayer(AggregateStates states, ViewStore views, PayloadCodec codec, boolean newest) {
        this.states = states;
        this.views = views;
        this.codec = codec;
        this.newest = newest;
    }

    @Override
    @SuppressWarnings("unchecked") // a state that was read with another type object is read again
    public <S> AggregateState<S> state(AggregateType<S> type, String key) {
        AggregateKey id = new AggregateKey(type.stream(), key);
        AggregateState<?> known = readStates.get(id);
        if (known != null && known.type() == type) {
            return (AggregateState<S>) known;
        }
        try {
            AggregateState<S> loaded = newest ? states.newest(type, key) : states.recent(type, key);
            readStates.put(id, loaded);
            return loaded;
        } catch (RetryableException e) {
            failure = e;
            throw e;
        }
    }

    /** Loads the rows that the batch will update, together. */
    void load(Collection<RowKey> keys) {
        if (!keys.isEmpty()) {
            views.find(keys).forEach(row -> readRows.put(row.key(), row));
        }
    }

    @Override
    public Overlay.DecidedRow row(View<?> view, RowKey key) {
        Row row = readRows.getOrDefault(key, Row.neverWritten(key));
        Payload value = row.value();
        return new Overlay.DecidedRow(row.version(), value == null ? null : codec.decode(value, view.rowType()), value);
    }

    /** A decision saw the store fail. That is nobody's decision, even if the decision caught it. */
    void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    ReadVersions versions() {
        Map<AggregateKey, Long> keys = new HashMap<>();
        readStates.forEach((key, state) -> keys.put(key, state.version()));
        Map<RowKey, Long> rows = new HashMap<>();
        readRows.forEach((key, row) -> rows.put(key, row.version()));
        return new ReadVersions(keys, rows);
    }
}
