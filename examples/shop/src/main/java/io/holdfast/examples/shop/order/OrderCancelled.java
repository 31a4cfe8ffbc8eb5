package io.holdfast.examples.shop.order;

public record OrderCancelled(String orderId, String customerId, String reason) implements OrderEvent {}
