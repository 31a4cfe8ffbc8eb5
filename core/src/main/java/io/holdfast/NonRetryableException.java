package io.holdfast;

/**
 * Marks an exception as final: trying again cannot help. A service puts it on its own business errors
 * ({@code class PaymentDeclined extends RuntimeException implements NonRetryableException}), whatever they extend.
 */
public interface NonRetryableException {

    /** Whether another try of what threw this can help. */
    static boolean isRetryable(Throwable failure) {
        return !(failure instanceof NonRetryableException) && !(failure instanceof Error);
    }
}
