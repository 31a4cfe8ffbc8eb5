package io.holdfast.examples.shop.order;

/** What happens to an order. */
public sealed interface OrderEvent permits OrderCreated, OrderConfirmed, OrderCancelled {}
