package io.holdfast.wire;

import io.holdfast.RetryableException;

/** The server of an operation threw, and a repetition can help. What it did before that is up to the operation. */
public final class OperationFailedException extends RetryableException {

    public OperationFailedException(String message) {
        super(message);
    }
}
