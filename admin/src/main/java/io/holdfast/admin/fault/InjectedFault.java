package io.holdfast.admin.fault;

import java.time.Instant;

/**
 * A fault injected into a component.
 *
 * @param component the stable id of the component
 * @param retryable whether the failure is retried; otherwise the letter is PENDING immediately
 */
public record InjectedFault(String component, String failureMessage, boolean retryable, Instant since) {

    InjectedFaultException exception() {
        return retryable
                ? new InjectedFaultException.Retryable(failureMessage)
                : new InjectedFaultException.Permanent(failureMessage);
    }
}
