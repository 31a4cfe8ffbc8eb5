package io.holdfast.examples.shop.inventory;

/** More of the product has come in. */
public record StockReplenished(int quantity) implements ProductEvent {}
