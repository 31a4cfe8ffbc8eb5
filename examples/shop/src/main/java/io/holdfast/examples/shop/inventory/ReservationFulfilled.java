package io.holdfast.examples.shop.inventory;

/** What was kept for the order is sold. */
public record ReservationFulfilled(String orderId) implements ReservationEvent {}
