package io.holdfast.examples.shop.inventory;

/** Stock was added to the product. */
public record StockReplenished(int quantity) implements ProductEvent {}
