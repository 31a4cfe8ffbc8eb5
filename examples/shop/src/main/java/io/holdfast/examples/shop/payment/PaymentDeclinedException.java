package io.holdfast.examples.shop.payment;

import io.holdfast.NonRetryableException;

/** The payment provider declines a payment. Repeating the request would not change that. */
public final class PaymentDeclinedException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    /** @param reason why the payment is declined, as the customer reads it */
    PaymentDeclinedException(String reason) {
        super(reason);
    }
}
