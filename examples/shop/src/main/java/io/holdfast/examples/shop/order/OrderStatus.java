package io.holdfast.examples.shop.order;

public enum OrderStatus {
    /** The order does not exist. */
    NONE,
    PENDING,
    CONFIRMED,
    CANCELLED
}
