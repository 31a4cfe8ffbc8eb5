package io.holdfast.examples.shop.payment;

/** An event of the payment of an order. */
public sealed interface PaymentEvent permits PaymentProcessed, PaymentFailed, PaymentRefunded, PaymentWithdrawn {}
