package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** Declined: a business outcome like any other, not an error. */
public record PaymentFailed(String orderId, String customerId, BigDecimal amount, String reason)
        implements PaymentEvent {}
