package io.holdfast.examples.shop.inventory;

/** The order was cancelled before its stock was reserved. Prevents a later reservation. */
public record ReservationWithdrawn(String orderId, String reason) implements ReservationEvent {}
