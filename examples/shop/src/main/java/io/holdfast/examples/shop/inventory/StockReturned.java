package io.holdfast.examples.shop.inventory;

/** Stock that was sold is on hand again. */
public record StockReturned(String orderId, int quantity) implements StockMovement {}
