package io.holdfast.examples.shop.inventory;

/** What happens to a product and its stock. */
public sealed interface ProductEvent permits ProductCreated, StockReplenished, StockMovement {}
