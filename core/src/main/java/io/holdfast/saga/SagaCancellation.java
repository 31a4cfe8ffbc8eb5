package io.holdfast.saga;

import io.holdfast.aggregate.DecisionContext;

/**
 * The local compensation of step 0, for timeouts and operators. Appends the compensating event of step 0, or nothing if
 * the business has moved on, for example because the order is confirmed.
 *
 * <p>Runs in the committer as part of a decision, so it must be pure, and it may run again.
 */
@FunctionalInterface
public interface SagaCancellation {

    /** @param saga the saga to cancel, with the {@link SagaState#reason} of the cancellation */
    void cancel(SagaState saga, DecisionContext decision);
}
