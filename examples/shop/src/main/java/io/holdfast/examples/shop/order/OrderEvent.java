package io.holdfast.examples.shop.order;

import java.time.Instant;

/** An event of an order. */
public sealed interface OrderEvent permits OrderCreated, OrderConfirmed, OrderCancelled {

    String orderId();

    String customerId();

    /** Returns when the order was created. */
    Instant createdAt();
}
