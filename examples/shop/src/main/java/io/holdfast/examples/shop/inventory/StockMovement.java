package io.holdfast.examples.shop.inventory;

/** A stock change of a product on behalf of an order. */
public sealed interface StockMovement extends ProductEvent
        permits StockAllocated, StockFreed, StockSold, StockReturned {

    String orderId();

    int quantity();
}
