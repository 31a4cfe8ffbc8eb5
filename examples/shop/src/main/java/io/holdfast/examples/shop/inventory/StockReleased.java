package io.holdfast.examples.shop.inventory;

/** What was kept for the order is free again. */
public record StockReleased(String orderId, String reason) implements ReservationEvent {}
