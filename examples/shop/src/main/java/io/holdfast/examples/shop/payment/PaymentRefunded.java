package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** The captured money is the customer's again. */
public record PaymentRefunded(String orderId, String customerId, BigDecimal amount, String reason)
        implements PaymentEvent {}
