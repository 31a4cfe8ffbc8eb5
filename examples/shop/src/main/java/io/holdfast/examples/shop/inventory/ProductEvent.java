package io.holdfast.examples.shop.inventory;

/** An event of a product or its stock. */
public sealed interface ProductEvent permits ProductCreated, StockReplenished, StockMovement {}
