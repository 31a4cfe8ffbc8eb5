package io.holdfast.admin;

import java.time.Instant;

/**
 * What a component fails with on purpose.
 *
 * @param component its stable id
 * @param retryable whether another try is worth it; else it is a person's turn at once
 */
public record InjectedFault(String component, String failureMessage, boolean retryable, Instant since) {

    InjectedFaultException exception() {
        return retryable
                ? new InjectedFaultException.Retryable(failureMessage)
                : new InjectedFaultException.Permanent(failureMessage);
    }
}
