package io.holdfast.examples.shop.order;

import java.math.BigDecimal;

/**
 * The answer to a customer, given after the order is durable.
 *
 * @param duplicate whether the same request was answered before; then this is that order
 */
public record PlacedOrder(String orderId, String sagaId, BigDecimal total, OrderStatus status, boolean duplicate) {}
