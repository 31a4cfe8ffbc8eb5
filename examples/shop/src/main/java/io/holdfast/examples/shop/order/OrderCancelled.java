package io.holdfast.examples.shop.order;

import java.time.Instant;

/** @param createdAt when the order was created; part of its key in the listings */
public record OrderCancelled(String orderId, String customerId, String reason, Instant createdAt)
        implements OrderEvent {}
