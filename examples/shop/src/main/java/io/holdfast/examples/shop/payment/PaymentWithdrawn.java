package io.holdfast.examples.shop.payment;

/** The order was cancelled before it was paid. Prevents a later capture. */
public record PaymentWithdrawn(String orderId, String reason) implements PaymentEvent {}
