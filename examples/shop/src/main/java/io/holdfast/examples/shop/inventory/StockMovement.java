package io.holdfast.examples.shop.inventory;

/** A change of a product's stock on behalf of an order. */
public sealed interface StockMovement extends ProductEvent
        permits StockAllocated, StockFreed, StockSold, StockReturned {

    String orderId();

    int quantity();
}
