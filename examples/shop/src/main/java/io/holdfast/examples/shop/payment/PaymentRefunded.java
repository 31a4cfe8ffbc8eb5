package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** The captured amount was refunded. */
public record PaymentRefunded(String orderId, String customerId, BigDecimal amount, String reason)
        implements PaymentEvent {}
