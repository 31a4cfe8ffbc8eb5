package io.holdfast.examples.shop.payment;

/** What happens to the payment of an order. */
public sealed interface PaymentEvent permits PaymentProcessed, PaymentFailed, PaymentRefunded, PaymentWithdrawn {}
