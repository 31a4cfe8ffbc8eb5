package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** The payment was declined. This is a business outcome, not an error. */
public record PaymentFailed(String orderId, String customerId, BigDecimal amount, String reason)
        implements PaymentEvent {}
