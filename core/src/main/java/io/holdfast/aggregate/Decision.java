package io.holdfast.aggregate;

import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * A pure function from the state of one or more aggregates to new events. It appends all of them or, by throwing,
 * none.
 *
 * <p>The committer runs decisions one after another on the newest state, and may run a decision again. So a decision
 * must not block, call external systems or change anything except through its context.
 *
 * <p>A decision throws to reject. The caller gets that exception unchanged.
 */
@FunctionalInterface
public interface Decision {

    void decide(DecisionContext context);

    /**
     * Returns rows that the decision will probably read. The committer loads those of all waiting decisions with one
     * query; any other row costs a query of its own.
     */
    default Collection<RowKey> rows() {
        return List.of();
    }

    /**
     * Returns keys whose states the decision will probably read. The committer loads those of all waiting decisions with
     * one query, once it knows how the stream is folded; any other state costs a query of its own.
     */
    default Collection<AggregateKey> keys() {
        return List.of();
    }

    /**
     * Returns a decision over one key.
     *
     * @param decide maps the newest state to the events to append, in order
     */
    static <S> Decision over(AggregateType<S> type, String key, Function<S, ? extends Collection<?>> decide) {
        return context -> decide.apply(context.state(type, key)).forEach(event -> context.append(type, key, event));
    }
}
