package io.holdfast.action;

import org.jspecify.annotations.Nullable;

/**
 * How an operation has taken effect.
 *
 * @param settledBy what settles the item
 * @param detail what the operator should know; null if there is nothing to add
 */
public record OperationEffect(SettledBy settledBy, @Nullable String detail) {

    /** What settles the item of an operation. */
    public enum SettledBy {
        /** The transaction of the effect, which has committed the settlement. */
        TRANSACTION,
        /** The runner, after the effect. */
        RUNNER
    }

    /** The effect is durable, and the settlement was committed with it. */
    public static OperationEffect settled() {
        return new OperationEffect(SettledBy.TRANSACTION, null);
    }

    /**
     * The effect is not part of a transaction of the store. If the replica dies before the item is settled, the operation
     * runs again: it must be idempotent.
     */
    public static OperationEffect unsettled(@Nullable String detail) {
        return new OperationEffect(SettledBy.RUNNER, detail);
    }

    /** The effect exists in memory only: it ends with the process. The receipt states that it is not durable. */
    public static OperationEffect inMemory() {
        return unsettled(Receipt.Result.NOT_DURABLE);
    }
}
