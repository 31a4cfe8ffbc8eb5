package io.holdfast.examples.shop.order;

import java.time.Instant;

/** What happens to an order. */
public sealed interface OrderEvent permits OrderCreated, OrderConfirmed, OrderCancelled {

    String orderId();

    String customerId();

    /** When the order was taken. */
    Instant createdAt();
}
