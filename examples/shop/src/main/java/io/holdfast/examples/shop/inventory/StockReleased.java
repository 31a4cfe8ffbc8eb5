package io.holdfast.examples.shop.inventory;

/** The stock that was reserved for or sold to the order is available again. */
public record StockReleased(String orderId, String reason) implements ReservationEvent {}
