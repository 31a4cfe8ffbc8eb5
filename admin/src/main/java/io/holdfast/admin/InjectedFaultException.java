package io.holdfast.admin;

import io.holdfast.NonRetryableException;

/** Thrown in place of a handler, because an operator has asked for it. */
public abstract sealed class InjectedFaultException extends RuntimeException {

    private InjectedFaultException(String message) {
        super(message);
    }

    /** Worth another try, as an outage is. */
    public static final class Retryable extends InjectedFaultException {

        Retryable(String message) {
            super(message);
        }
    }

    /** A person's turn at once, as a business error is. */
    public static final class Permanent extends InjectedFaultException implements NonRetryableException {

        Permanent(String message) {
            super(message);
        }
    }
}
