package io.holdfast.examples.shop.inventory;

/** The reserved stock was sold. */
public record ReservationFulfilled(String orderId) implements ReservationEvent {}
