package io.holdfast.aggregate;

import java.util.Collection;
import java.util.function.Function;

/**
 * Looks at the state of one or more aggregates and says which events happen: all of them or, by throwing, none.
 *
 * <p>A decision is pure. The committer runs it on the newest state, one after another with all other decisions of the
 * service, and may run it again: it must not block, call outside or change anything but through its context.
 *
 * <p>Throwing is how a decision refuses; the exception reaches whoever asked, as it is.
 */
@FunctionalInterface
public interface Decision {

    void decide(DecisionContext context);

    /**
     * A decision over one key.
     *
     * @param decide from the newest state to the events that happen, in order
     */
    static <S> Decision over(AggregateType<S> type, String key, Function<S, ? extends Collection<?>> decide) {
        return context -> decide.apply(context.state(type, key)).forEach(event -> context.append(type, key, event));
    }
}
