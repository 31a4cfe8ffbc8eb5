package io.holdfast.handling;

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
 * Gives a handler the event and collects the handler's effects. The committer applies them together with the position,
 * all or none. Valid only until the event is handled.
 */
public interface EventContext {

    /** Returns the event being handled. */
    EventMessage event();

    /** Returns the letter, if the event was parked and is being replayed. */
    Optional<DeadLetter> deadLetter();

    /** Adds a decision over aggregates of this service. The committer runs it on the newest state. */
    void decide(Decision decision);

    /**
     * Adds a decision over one aggregate of this service. The committer runs it on the newest state.
     *
     * @param decide returns the new events, in order, for the newest state
     */
    default <S> void decide(AggregateType<S> type, String key, Function<S, ? extends Collection<?>> decide) {
        decide(Decision.over(type, key, decide));
    }

    /**
     * Adds an update of a view's row. The committer runs it on the newest row.
     *
     * @param change a pure function; null stands for a missing row, as argument and as result
     */
    <R> void update(View<R> view, String key, UnaryOperator<@Nullable R> change);

    /**
     * Returns the resource with which a component writes application rows (see {@link Component.Builder#rowsIn}): for a
     * database a {@code java.sql.Connection}, whose transaction also commits the effects and the position. Use it only
     * on the thread that called the handler.
     *
     * @throws io.holdfast.PermanentException if the component writes no application rows, or there is no such resource
     */
    <T> T resource(Class<T> type);

    /**
     * Returns an idempotency key for external calls: the same however often this component handles the event. Such a
     * call is at-least-once; with the key the receiver can deduplicate it.
     */
    String idempotencyKey();
}
