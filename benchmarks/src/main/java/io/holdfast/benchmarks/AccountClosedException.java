package io.holdfast.benchmarks;

import io.holdfast.NonRetryableException;

/** Why handlers fail: trying again would not help. */
final class AccountClosedException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    AccountClosedException() {
        super(ParkedPurchases.CAUSE);
    }
}
