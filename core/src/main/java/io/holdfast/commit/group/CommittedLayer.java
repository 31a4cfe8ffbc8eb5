package io.holdfast.commit.group;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.ReadVersions;
import io.holdfast.event.EventReader;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The committed states and rows below a batch. Records the versions that were read, to be checked under the head
 * lock. Not thread-safe.
 */
final class CommittedLayer implements StateLayer {

    private final AggregateStates states;
    private final PayloadCodec codec;
    private final CommitSession session;
    private final EventReader reader;
    private final boolean headLocked;
    private final Map<AggregateKey, AggregateState<?>> readStates = new HashMap<>();
    private final Map<RowKey, Row> readRows = new HashMap<>();
    private @Nullable RetryableException failure;

    /** Creates a layer that prefers cached states, which may be behind another replica. */
    CommittedLayer(AggregateStates states, PayloadCodec codec, CommitSession session, EventReader reader) {
        this(states, codec, session, reader, false);
    }

    private CommittedLayer(
            AggregateStates states, PayloadCodec codec, CommitSession session, EventReader reader, boolean headLocked) {
        this.states = states;
        this.codec = codec;
        this.session = session;
        this.reader = reader;
        this.headLocked = headLocked;
    }

    /**
     * Returns the same layer under the head lock, where nothing changes any more. Reloads the changed keys with one
     * query and the changed rows with another.
     */
    CommittedLayer underHeadLock(ReadVersions changed) {
        CommittedLayer newest = new CommittedLayer(states, codec, session, reader, true);
        newest.readStates.putAll(readStates);
        newest.readRows.putAll(readRows);
        newest.readStates.keySet().removeAll(changed.keys().keySet());
        List<AggregateState<?>> outdated = new ArrayList<>();
        changed.keys().keySet().forEach(key -> outdated.add(Objects.requireNonNull(readStates.get(key))));
        states.newest(outdated, reader).forEach(state -> newest.readStates.put(state.aggregateKey(), state));
        newest.load(changed.rows().keySet());
        return newest;
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
            AggregateState<S> loaded = headLocked ? states.newest(type, key, reader) : states.recent(type, key, reader);
            readStates.put(id, loaded);
            return loaded;
        } catch (UnsupportedHereException e) {
            throw e; // the store works; only this decision fails
        } catch (RetryableException e) {
            failure = e;
            throw e;
        }
    }

    /** Loads rows in one query. */
    void load(Collection<RowKey> keys) {
        if (!keys.isEmpty()) {
            session.findRows(keys).forEach(row -> readRows.put(row.key(), row));
        }
    }

    @Override
    public Overlay.DecidedRow row(View<?> view, RowKey key) {
        Row row = loaded(key);
        Payload value = row.value();
        return new Overlay.DecidedRow(
                view, row.version(), value == null ? null : codec.decodeForUpdate(value, view.rowType(), "row " + key));
    }

    /** Returns a row that {@link #load} has loaded, or loads it. */
    private Row loaded(RowKey key) {
        if (!readRows.containsKey(key)) {
            try {
                load(List.of(key));
            } catch (RetryableException e) {
                failure = e;
                throw e;
            }
        }
        return readRows.getOrDefault(key, Row.neverWritten(key));
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
