package io.holdfast.action;

import io.holdfast.PermanentException;

/**
 * The item of an operation was settled before the operation committed: it ran on another replica, was stopped, or its
 * deadline has passed. Nothing was changed; read the receipt.
 */
public final class AlreadySettledException extends PermanentException {

    public AlreadySettledException(Settlement settlement) {
        super("item " + settlement.item() + " of action " + settlement.action()
                + " was settled before; nothing was changed. Read its receipt");
    }
}
