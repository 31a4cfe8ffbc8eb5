package io.holdfast.admin.fault;

import io.holdfast.NonRetryableException;

/** Thrown instead of calling the handler, because an operator injected a fault. */
public abstract sealed class InjectedFaultException extends RuntimeException {

    private InjectedFaultException(String message) {
        super(message);
    }

    /** Is retried, like an outage. */
    public static final class Retryable extends InjectedFaultException {

        Retryable(String message) {
            super(message);
        }
    }

    /** Makes the letter PENDING immediately, like a business error. */
    public static final class Permanent extends InjectedFaultException implements NonRetryableException {

        Permanent(String message) {
            super(message);
        }
    }
}
