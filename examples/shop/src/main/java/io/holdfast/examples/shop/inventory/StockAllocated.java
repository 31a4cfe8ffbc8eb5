package io.holdfast.examples.shop.inventory;

/** Kept for an order; still on hand. */
public record StockAllocated(String orderId, int quantity) implements StockMovement {}
