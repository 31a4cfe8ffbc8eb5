package io.holdfast.commit;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateState;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import io.holdfast.view.ViewStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The committed states and rows below a batch. Records the versions that were read, to be checked under the head
 * lock.
 */
final class CommittedLayer implements StateLayer {

    private final AggregateStates states;
    private final ViewStore views;
    private final PayloadCodec codec;
    private final boolean newest;
    private final Map<AggregateKey, AggregateState<?>> readStates = new HashMap<>();
    private final Map<RowKey, Row> readRows = new HashMap<>();
    private @Nullable RetryableException failure;

    /** @param newest whether cached states are brought up to date with the log first */
    CommittedLayer(AggregateStates states, ViewStore views, PayloadCodec codec, boolean newest) {
        this.states = states;
        this.views = views;
        this.codec = codec;
        this.newest = newest;
    }

    @Override
    @SuppressWarnings("unchecked") // a state that was loaded with another type object is loaded again
    public <S> AggregateState<S> state(AggregateType<S> type, String key) {
        AggregateKey id = new AggregateKey(type.stream(), key);
        AggregateState<?> cached = readStates.get(id);
        if (cached != null && cached.type() == type) {
            return (AggregateState<S>) cached;
        }
        try {
            AggregateState<S> loaded = newest ? states.newest(type, key) : states.recent(type, key);
            readStates.put(id, loaded);
            return loaded;
        } catch (UnsupportedHereException e) {
            throw e; // the store works; only this decision fails
        } catch (RetryableException e) {
            failure = e;
            throw e;
        }
    }

    /** Loads all rows that the batch updates in one query. */
    void load(Collection<RowKey> keys) {
        if (!keys.isEmpty()) {
            views.find(keys).forEach(row -> readRows.put(row.key(), row));
        }
    }

    @Override
    public Overlay.DecidedRow row(View<?> view, RowKey key) {
        Row row = readRows.getOrDefault(key, Row.neverWritten(key));
        Payload value = row.value();
        return new Overlay.DecidedRow(
                row.version(), value == null ? null : codec.decodeForUpdate(value, view.rowType(), "row " + key));
    }

    /**
     * Throws if the store failed during a decision. That is not the decision's failure, even if the decision caught
     * it.
     */
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
