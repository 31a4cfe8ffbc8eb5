package io.holdfast.examples.shop.inventory;

/** Stock is no longer reserved for an order. */
public record StockFreed(String orderId, int quantity) implements StockMovement {}
