package io.holdfast.examples.shop.inventory;

/** The order was cancelled before its stock was reserved: a mark that refuses the reservation when its turn comes. */
public record ReservationWithdrawn(String orderId, String reason) implements ReservationEvent {}
