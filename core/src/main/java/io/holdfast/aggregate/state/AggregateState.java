package io.holdfast.aggregate.state;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key at a version.
 *
 * @param lastEvent the id of the last event that is included; null if there is none, or if it is unknown
 * @param <S> the state
 */
public record AggregateState<S>(AggregateType<S> type, String key, long version, @Nullable UUID lastEvent, S state) {

    public static <S> AggregateState<S> initial(AggregateType<S> type, String key) {
        return new AggregateState<>(type, key, 0, null, type.initial());
    }

    /** Returns the stream and key whose state this is. */
    public AggregateKey aggregateKey() {
        return new AggregateKey(type.stream(), key);
    }

    /**
     * Returns the state after one more stored event.
     *
     * @throws UnsupportedHereException if this version of the service cannot fold it
     */
    public AggregateState<S> evolve(UUID id, Payload event, PayloadCodec codec) {
        S next = type.evolve(state, event, codec, () -> "event " + (version + 1) + " of " + type.stream() + "/" + key);
        return new AggregateState<>(type, key, version + 1, id, next);
    }

    /**
     * Returns the state after an event that a decision appends.
     *
     * @throws PermanentException if the aggregate does not fold it
     */
    public AggregateState<S> append(UUID id, Payload event, PayloadCodec codec) {
        type.requireFolds(event, codec, key);
        return evolve(id, event, codec);
    }
}
