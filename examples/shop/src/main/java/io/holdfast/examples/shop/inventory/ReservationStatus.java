package io.holdfast.examples.shop.inventory;

/** Where a reservation stands. */
public enum ReservationStatus {
    /** Nothing was asked for this order. */
    NONE,
    RESERVED,
    FAILED,
    FULFILLED,
    /** Whatever was kept or sold has come back. */
    RELEASED,
    /** The order was cancelled before anything was reserved; nothing will be. */
    WITHDRAWN
}
