package io.holdfast.examples.shop.demo;

/**
 * One line of a product's history.
 *
 * @param kind {@code StockAllocated}, {@code StockFreed} or {@code StockSold}
 */
record StockMove(String kind, String orderId, String productId, int quantity) {}
