package io.holdfast.examples.shop.inventory;

/** Stock was reserved for an order. It is still on hand. */
public record StockAllocated(String orderId, int quantity) implements StockMovement {}
