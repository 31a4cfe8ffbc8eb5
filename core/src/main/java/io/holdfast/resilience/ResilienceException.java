package io.holdfast.resilience;

import io.holdfast.RetryableException;

/**
 * An operation did not succeed: its attempts are used up, or its breaker is open. On the retryable branch, since only
 * causes worth retrying get here; a final one is thrown as itself.
 */
public final class ResilienceException extends RetryableException {

    private final String operationName;
    private final int attempts;

    ResilienceException(String operationName, int attempts, Throwable cause) {
        super(message(operationName, attempts, cause), cause);
        this.operationName = operationName;
        this.attempts = attempts;
    }

    /** The name that the operation was called by, which is its breaker's. */
    public String operationName() {
        return operationName;
    }

    /** How often the operation was called. */
    public int attempts() {
        return attempts;
    }

    /** Whether the breaker refused it, so that nothing was called. */
    public boolean rejected() {
        return attempts == 0;
    }

    private static String message(String name, int attempts, Throwable cause) {
        if (attempts == 0) {
            return "operation " + name + " was not called: its circuit breaker lets no call through after failures; try"
                    + " again later";
        }
        return "operation " + name + " failed after " + attempts + (attempts == 1 ? " attempt" : " attempts")
                + ", the last with " + cause.getClass().getName() + "; see the cause, and try again later";
    }
}
