package io.holdfast.wire;

import io.holdfast.RetryableException;

/**
 * The replica does not know the operation; nothing was done. Retryable, because a replica of another version may know
 * it.
 */
public final class UnknownOperationException extends RetryableException {

    public UnknownOperationException(String message) {
        super(message);
    }
}
