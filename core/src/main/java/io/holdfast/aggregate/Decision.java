package io.holdfast.aggregate;

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
}
