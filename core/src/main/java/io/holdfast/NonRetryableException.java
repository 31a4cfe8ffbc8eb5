package io.holdfast;

/**
 * Marks an exception as final: a retry cannot help. A service adds it to its own business errors
 * ({@code class PaymentDeclined extends RuntimeException implements NonRetryableException}), whatever they extend.
 */
public interface NonRetryableException {

    /** Returns whether a retry of the failed call can help. */
    static boolean isRetryable(Throwable failure) {
        return !(failure instanceof NonRetryableException) && !(failure instanceof Error);
    }
}
