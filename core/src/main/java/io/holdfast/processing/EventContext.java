package io.holdfast.processing;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.event.EventMessage;
import io.holdfast.view.View;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a handler is given beside the payload, and where it says what its effects are. Effects are collected, and applied
 * by the committer together with the position, all of them or none. Valid only until the event is handled.
 */
public interface EventContext {

    /** The event being handled. */
    EventMessage event();

    /** The letter, if the event was parked and is handled again. */
    Optional<DeadLetter> deadLetter();

    /** A decision over aggregates of this service, run by the committer on the newest state. */
    void decide(Decision decision);

    /**
     * A decision over one aggregate of this service, run by the committer on the newest state.
     *
     * @param decide from the newest state to the events that happen, in order
     */
    default <S> void decide(AggregateType<S> type, String key, Function<S, ? extends Collection<?>> decide) {
        decide(Decision.over(type, key, decide));
    }

    /**
     * A change of a row of a view, run by the committer on the newest row.
     *
     * @param change a pure function; null means no row, both in and out
     */
    <R> void update(View<R> view, String key, UnaryOperator<@Nullable R> change);

    /**
     * What a component that keeps rows of its own ({@link Component.Builder#rowsIn}) writes them by: for a database a
     * {@code java.sql.Connection}, whose transaction carries the effects and the position along. Only on the thread that
     * the handler was called on.
     *
     * @throws io.holdfast.PermanentException if the component does not keep rows, or there is nothing of that type
     */
    <T> T resource(Class<T> type);

    /**
     * A key for calls to the outside, the same however often the event is handled by this component. Such a call happens
     * at least once; the key lets the other side make it once.
     */
    String idempotencyKey();
}
