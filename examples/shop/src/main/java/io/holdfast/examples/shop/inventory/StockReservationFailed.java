package io.holdfast.examples.shop.inventory;

/** Something was missing, and nothing is kept for the order. */
public record StockReservationFailed(String orderId, String reason) implements ReservationEvent {}
