package io.holdfast.examples.shop.order;

import java.time.Instant;

/** @param createdAt when the order was taken, by which listings find it */
public record OrderCancelled(String orderId, String customerId, String reason, Instant createdAt)
        implements OrderEvent {}
