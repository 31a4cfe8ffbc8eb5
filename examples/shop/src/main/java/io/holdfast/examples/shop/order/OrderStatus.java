package io.holdfast.examples.shop.order;

/** Where an order stands. */
public enum OrderStatus {
    /** There is no such order. */
    NONE,
    PENDING,
    CONFIRMED,
    CANCELLED
}
