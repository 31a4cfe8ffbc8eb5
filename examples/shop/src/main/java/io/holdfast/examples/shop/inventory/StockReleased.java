package io.holdfast.examples.shop.inventory;

/** What was kept for the order, or sold to it, is free again. */
public record StockReleased(String orderId, String reason) implements ReservationEvent {}
