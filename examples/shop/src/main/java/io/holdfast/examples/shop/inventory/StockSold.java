package io.holdfast.examples.shop.inventory;

/** Reserved stock was sold and is no longer on hand. */
public record StockSold(String orderId, int quantity) implements StockMovement {}
