package io.holdfast.examples.shop.payment;

public enum PaymentStatus {
    /** No payment was requested. */
    NONE,
    CAPTURED,
    FAILED,
    REFUNDED,
    /** The order was cancelled before a payment was requested. A later request captures nothing. */
    WITHDRAWN
}
