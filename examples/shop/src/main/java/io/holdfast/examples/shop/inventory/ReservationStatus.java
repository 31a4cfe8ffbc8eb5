package io.holdfast.examples.shop.inventory;

public enum ReservationStatus {
    /** No reservation was requested. */
    NONE,
    RESERVED,
    FAILED,
    FULFILLED,
    /** The reserved or sold stock is available again. */
    RELEASED,
    /** The order was cancelled before its stock was reserved. A later request reserves nothing. */
    WITHDRAWN
}
