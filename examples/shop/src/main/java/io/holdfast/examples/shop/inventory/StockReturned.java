package io.holdfast.examples.shop.inventory;

/** Was gone to the customer, and is on hand again. */
public record StockReturned(String orderId, int quantity) implements StockMovement {}
