package io.holdfast.examples.shop.payment;

/** The order was cancelled before it was paid: a mark that refuses the capture when its turn comes. */
public record PaymentWithdrawn(String orderId, String reason) implements PaymentEvent {}
