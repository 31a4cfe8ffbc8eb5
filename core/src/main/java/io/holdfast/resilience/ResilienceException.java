package io.holdfast.resilience;

import io.holdfast.RetryableException;

/**
 * An operation failed: its attempts are exhausted, or its circuit breaker rejected the call. Always retryable, because
 * a non-retryable failure is thrown unchanged.
 */
public final class ResilienceException extends RetryableException {

    private final String operationName;
    private final int attempts;

    ResilienceException(String operationName, int attempts, Throwable cause) {
        super(message(operationName, attempts, cause), cause);
        this.operationName = operationName;
        this.attempts = attempts;
    }

    /** Returns the name of the operation, which is also its breaker's. */
    public String operationName() {
        return operationName;
    }

    /** Returns the number of attempts; 0 if the breaker rejected the call. */
    public int attempts() {
        return attempts;
    }

    /** @return whether the breaker rejected the call, so that the operation was not called */
    public boolean rejected() {
        return attempts == 0;
    }

    private static String message(String name, int attempts, Throwable cause) {
        if (attempts == 0) {
            return "operation " + name
                    + " was not called: its circuit breaker rejects calls after repeated failures; retry later";
        }
        return "operation " + name + " failed after " + attempts + (attempts == 1 ? " attempt" : " attempts")
                + ", last with " + cause.getClass().getName() + "; see the cause and retry later";
    }
}
