package io.holdfast.examples.shop.inventory;

/** No longer kept for an order. */
public record StockFreed(String orderId, int quantity) implements StockMovement {}
