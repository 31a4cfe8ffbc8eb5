package io.holdfast.benchmarks;

import io.holdfast.NonRetryableException;

/** The failure of handlers. Not retryable. */
final class AccountClosedException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    AccountClosedException() {
        super(ParkedPurchases.CAUSE);
    }
}
