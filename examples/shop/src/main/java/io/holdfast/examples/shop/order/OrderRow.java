package io.holdfast.examples.shop.order;

import java.math.BigDecimal;
import java.time.Instant;

/** The row of an order in a listing. */
record OrderRow(
        String orderId,
        String customerId,
        OrderStatus status,
        String reason,
        BigDecimal total,
        Instant createdAt,
        Instant updatedAt) {

    static OrderRow of(OrderCreated event, Instant time) {
        return new OrderRow(
                event.orderId(), event.customerId(), OrderStatus.PENDING, "", event.total(), event.createdAt(), time);
    }

    OrderRow withStatus(OrderStatus next, String why, Instant time) {
        return new OrderRow(orderId, customerId, next, why, total, createdAt, time);
    }
}
