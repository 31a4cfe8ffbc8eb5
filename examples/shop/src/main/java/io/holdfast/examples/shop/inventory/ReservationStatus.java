package io.holdfast.examples.shop.inventory;

/** Where a reservation stands. */
public enum ReservationStatus {
    /** Nothing was asked for this order. */
    NONE,
    RESERVED,
    FAILED,
    RELEASED,
    FULFILLED
}
