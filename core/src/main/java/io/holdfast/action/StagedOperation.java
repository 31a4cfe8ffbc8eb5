package io.holdfast.action;

import java.util.Map;

/**
 * An operation that a replica is about to run.
 *
 * @param target as in {@link Action#target}
 * @param options as in {@link Action#options}
 * @param item what is operated on
 * @param settlement to be committed in the transaction of the effect
 */
public record StagedOperation(
        String action,
        Action.Kind kind,
        String target,
        Map<String, String> options,
        Requester requester,
        OperationItem item,
        Settlement settlement) {

    /** Returns the operation of an open item. */
    public static StagedOperation of(Receipt receipt, ActionStore.OpenItem open, String replica) {
        return new StagedOperation(
                receipt.action(),
                receipt.kind(),
                receipt.target(),
                receipt.options(),
                receipt.requester(),
                (OperationItem) open.item(),
                Settlement.applied(open, replica));
    }
}
