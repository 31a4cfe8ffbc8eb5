package io.holdfast.examples.shop.order;

import java.math.BigDecimal;

public record OrderConfirmed(String orderId, String customerId, BigDecimal total) implements OrderEvent {}
