package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** The payment was captured. */
public record PaymentProcessed(String orderId, String customerId, BigDecimal amount) implements PaymentEvent {}
