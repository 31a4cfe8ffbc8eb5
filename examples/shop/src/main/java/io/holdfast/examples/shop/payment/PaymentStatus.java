package io.holdfast.examples.shop.payment;

/** Where a payment stands. */
public enum PaymentStatus {
    /** Nobody has asked for it. */
    NONE,
    CAPTURED,
    FAILED
}
