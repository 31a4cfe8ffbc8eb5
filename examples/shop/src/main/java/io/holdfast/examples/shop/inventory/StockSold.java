package io.holdfast.examples.shop.inventory;

/** Gone to the customer. */
public record StockSold(String orderId, int quantity) implements StockMovement {}
