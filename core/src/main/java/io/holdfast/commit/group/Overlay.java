package io.holdfast.commit.group;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.commit.RowWrite;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.view.RowIndex;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * States and rows as decisions change them, in layers: a part's changes above its unit's, a unit's above its batch's,
 * the batch's above the committed state. Dropping a layer rolls its changes back.
 */
final class Overlay implements StateLayer {

    private final StateLayer below;
    private final Map<AggregateKey, AggregateState<?>> states = new HashMap<>();
    private final Map<RowKey, DecidedRow> rows = new HashMap<>();

    Overlay(StateLayer below) {
        this.below = below;
    }

    @Override
    @SuppressWarnings("unchecked") // checked by identity of the type
    public <S> AggregateState<S> state(AggregateType<S> type, String key) {
        AggregateState<?> state = states.get(new AggregateKey(type.stream(), key));
        if (state == null) {
            return below.state(type, key);
        }
        if (state.type() != type) {
            throw new PermanentException("stream " + type.stream()
                    + " is folded by two different AggregateType objects; create one and share it");
        }
        return (AggregateState<S>) state;
    }

    @Override
    public DecidedRow row(View<?> view, RowKey key) {
        DecidedRow row = rows.get(key);
        return row == null ? below.row(view, key) : row;
    }

    void put(AggregateState<?> state) {
        states.put(new AggregateKey(state.type().stream(), state.key()), state);
    }

    void put(RowKey key, DecidedRow row) {
        rows.put(key, row);
    }

    void mergeInto(Overlay lower) {
        lower.states.putAll(states);
        lower.rows.putAll(rows);
    }

    Map<AggregateKey, AggregateState<?>> states() {
        return states;
    }

    Map<RowKey, DecidedRow> rows() {
        return rows;
    }

    /**
     * Increases the version of each changed row. Called once per unit, however often the unit changed the row.
     */
    void raiseRowVersions() {
        rows.replaceAll((key, row) -> row.raised());
    }

    /**
     * @param view the row's view
     * @param fromVersion the version that the unit has read
     * @param version while a unit is decided, the same; afterwards, the version that it writes
     * @param content null if the row does not exist
     */
    record DecidedRow(View<?> view, long fromVersion, long version, PayloadCodec.@Nullable Decoded<?> content) {

        /** Makes it improbable that a version that a failover has lost, or that was purged, is used again. */
        private static final long MAX_INCREASE = 1 << 24;

        static DecidedRow read(View<?> view, long version, PayloadCodec.@Nullable Decoded<?> content) {
            return new DecidedRow(view, version, version, content);
        }

        DecidedRow raised() {
            long next = version + 1 + ThreadLocalRandom.current().nextLong(MAX_INCREASE);
            return new DecidedRow(view, version, next, content);
        }

        @Nullable
        Object value() {
            return content == null ? null : content.value();
        }

        @Nullable
        Payload encoded() {
            return content == null ? null : content.payload();
        }

        boolean isCached() {
            return content != null && isCached(view);
        }

        @SuppressWarnings("unchecked") // as in index
        private <R> boolean isCached(View<R> rowView) {
            R value = (R) value();
            return value != null && rowView.caches(value);
        }

        RowWrite write(RowKey key) {
            return new RowWrite(key, fromVersion, version, encoded(), index(view));
        }

        @SuppressWarnings("unchecked") // the value was decoded, or put, as the view's row type
        private <R> RowIndex index(View<R> rowView) {
            return rowView.indexOf((R) value());
        }

        /** Keeps what the class does not know, unless the row is removed. */
        DecidedRow changedTo(@Nullable Object newValue, PayloadCodec codec) {
            return read(view, version, newValue == null ? null : codec.encode(newValue, content));
        }
    }
}
