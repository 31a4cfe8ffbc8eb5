package io.holdfast.wire;

import io.holdfast.PermanentException;

/** The server of an operation threw, and the same request would fail again. */
public final class OperationRejectedException extends PermanentException {

    public OperationRejectedException(String message) {
        super(message);
    }
}
