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
import java.util.LinkedHashMap;
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
    private final RecentRows recentRows;
    private final boolean headLocked;
    private final Map<AggregateKey, AggregateState<?>> readStates = new HashMap<>();
    private final Map<AggregateKey, AggregateState<?>> assumedStates = new LinkedHashMap<>();
    private final Map<RowKey, Row> readRows = new HashMap<>();
    private final Map<RowKey, Overlay.DecidedRow> decodedRows = new HashMap<>();
    private boolean assumesNewKeys;
    private @Nullable RetryableException failure;

    /** Creates a layer that prefers cached states and rows, which may be behind another replica. */
    CommittedLayer(
            AggregateStates states,
            PayloadCodec codec,
            CommitSession session,
            EventReader reader,
            RecentRows recentRows) {
        this(states, codec, session, reader, recentRows, false);
    }

    private CommittedLayer(
            AggregateStates states,
            PayloadCodec codec,
            CommitSession session,
            EventReader reader,
            RecentRows recentRows,
            boolean headLocked) {
        this.states = states;
        this.codec = codec;
        this.session = session;
        this.reader = reader;
        this.recentRows = recentRows;
        this.headLocked = headLocked;
    }

    /**
     * Returns the same layer under the head lock, where nothing changes any more. Reloads the changed keys with one
     * query and the changed rows with another.
     */
    CommittedLayer underHeadLock(ReadVersions changed) {
        CommittedLayer newest = new CommittedLayer(states, codec, session, reader, recentRows, true);
        newest.readStates.putAll(readStates);
        newest.readRows.putAll(readRows);
        newest.decodedRows.putAll(decodedRows);
        newest.decodedRows.keySet().removeAll(changed.rows().keySet());
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
        if (assumesNewKeys) {
            AggregateState<S> state = states.findRecent(type, key).orElseGet(() -> assumedNew(type, key));
            readStates.put(id, state);
            return state;
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

    private <S> AggregateState<S> assumedNew(AggregateType<S> type, String key) {
        AggregateState<S> state = AggregateState.initial(type, key);
        assumedStates.put(state.aggregateKey(), state);
        return state;
    }

    /**
     * Assumes until {@link #loadAssumed} that keys without a cached state are new, which spares most decisions a query of
     * their own.
     */
    void assumeNewKeys() {
        assumesNewKeys = true;
    }

    /**
     * Loads the states of keys that were assumed to be new, with one query.
     *
     * @return the keys for which the assumption was wrong. What depends on them must be decided again
     */
    ReadVersions loadAssumed() {
        assumesNewKeys = false;
        if (assumedStates.isEmpty()) {
            return ReadVersions.NONE;
        }
        // A state that cannot be folded is missing here. The check under the head lock finds it, too.
        Map<AggregateKey, Long> wrong = new HashMap<>();
        for (AggregateState<?> state : states.newest(assumedStates.values(), reader)) {
            if (state.version() != 0) {
                readStates.put(state.aggregateKey(), state);
                wrong.put(state.aggregateKey(), state.version());
            }
        }
        return new ReadVersions(wrong, Map.of());
    }

    /** Loads the rows that are not cached, in one query. */
    void load(Collection<RowKey> keys) {
        Collection<RowKey> missing = keys;
        if (!headLocked) {
            Map<RowKey, Overlay.DecidedRow> recent = recentRows.find(keys);
            recent.forEach((key, row) -> readRows.put(key, new Row(key, row.version(), row.encoded())));
            decodedRows.putAll(recent);
            missing = keys.stream().filter(key -> !recent.containsKey(key)).toList();
        }
        if (!missing.isEmpty()) {
            session.findRows(missing).forEach(row -> readRows.put(row.key(), row));
        }
    }

    @Override
    public Overlay.DecidedRow row(View<?> view, RowKey key) {
        Row row = loaded(key);
        Overlay.DecidedRow decoded = decodedRows.get(key);
        if (decoded != null && decoded.view().rowType() == view.rowType()) {
            return Overlay.DecidedRow.read(view, decoded.version(), decoded.content());
        }
        Payload value = row.value();
        return Overlay.DecidedRow.read(
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

    /**
     * The rows of cached views that this process has written last, decoded. They may be behind another replica, or lost in
     * a failover; the check under the head lock compares their versions, which are never used again. Thread-safe.
     */
    static final class RecentRows {

        private static final int CAPACITY = 4_096;

        private final Map<RowKey, Overlay.DecidedRow> rows = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<RowKey, Overlay.DecidedRow> eldest) {
                return size() > CAPACITY;
            }
        };

        /** Returns those of the wanted rows that are known. */
        synchronized Map<RowKey, Overlay.DecidedRow> find(Collection<RowKey> wanted) {
            Map<RowKey, Overlay.DecidedRow> found = new HashMap<>();
            for (RowKey key : wanted) {
                Overlay.DecidedRow row = rows.get(key);
                if (row != null) {
                    found.put(key, row);
                }
            }
            return found;
        }

        /** Keeps committed rows, in the order in which they were written. */
        synchronized void add(DecidedBatch committed) {
            committed.units().forEach(unit -> unit.changes().rows().forEach((key, row) -> {
                rows.remove(key); // the newest rows last
                if (row.isCached()) {
                    rows.put(key, row);
                }
            }));
        }

        /** Forgets rows that have changed in the store. */
        synchronized void removeAll(Collection<RowKey> changed) {
            changed.forEach(rows::remove);
        }

        /** Forgets everything, because the store has lost commits. */
        synchronized void clear() {
            rows.clear();
        }
    }
}
