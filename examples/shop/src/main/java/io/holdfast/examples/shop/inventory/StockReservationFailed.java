package io.holdfast.examples.shop.inventory;

/** Stock was insufficient. Nothing is reserved for the order. */
public record StockReservationFailed(String orderId, String reason) implements ReservationEvent {}
