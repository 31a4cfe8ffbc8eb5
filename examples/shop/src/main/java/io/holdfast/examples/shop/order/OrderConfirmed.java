package io.holdfast.examples.shop.order;

import java.math.BigDecimal;
import java.time.Instant;

/** @param createdAt when the order was created; part of its key in the listings */
public record OrderConfirmed(String orderId, String customerId, BigDecimal total, Instant createdAt)
        implements OrderEvent {}
