package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** The money is captured. */
public record PaymentProcessed(String orderId, String customerId, BigDecimal amount) implements PaymentEvent {}
