package io.holdfast.action;

import java.util.concurrent.CompletableFuture;

/**
 * Runs operations of one kind. A handler commits the settlement of the operation in the transaction of its effect, or
 * returns that the item must be settled afterwards. It may wait for the store, but otherwise must not block: the future
 * completes when the operation has taken effect.
 *
 * <p>A {@link io.holdfast.NonRetryableException} refuses the operation with its message: nothing was changed. A
 * {@link io.holdfast.RetryableException} leaves the item open, and the operation runs again. An
 * {@link AlreadySettledException} is no failure: the operation ran on another replica, or was stopped.
 *
 * <p>Several replicas may run the same operation if one of them hangs, and an operation that has failed runs again.
 *
 * <p><b>Thread safety.</b> Called by one thread.
 */
@FunctionalInterface
public interface OperationHandler {

    /** Where an operation can run. */
    enum Place {
        /** On this replica, without waiting for another one. */
        HERE,
        /** On any replica: on the one that has staged it, or on another one if that does not run it soon. */
        ANYWHERE,
        /** Not on this replica. */
        ELSEWHERE
    }

    CompletableFuture<OperationEffect> run(StagedOperation operation);

    /** Returns where the operation can run as of now. Must not wait for the store. */
    default Place place(StagedOperation operation) {
        return Place.ANYWHERE;
    }
}
