package io.holdfast.aggregate;

import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;

/**
 * The state of one key at a version.
 *
 * @param <S> the state
 */
public record AggregateState<S>(AggregateType<S> type, String key, long version, S state) {

    public static <S> AggregateState<S> initial(AggregateType<S> type, String key) {
        return new AggregateState<>(type, key, 0, type.initial());
    }

    /** Returns the state after one more event. */
    public AggregateState<S> evolve(Payload event, PayloadCodec codec) {
        return new AggregateState<>(type, key, version + 1, type.evolve(state, event, codec));
    }
}
