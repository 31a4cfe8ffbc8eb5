package io.holdfast.examples.shop.payment;

/** Where a payment stands. */
public enum PaymentStatus {
    /** Nobody has asked for it. */
    NONE,
    CAPTURED,
    FAILED,
    REFUNDED,
    /** The order was cancelled before it was asked for; it never will be. */
    WITHDRAWN
}
