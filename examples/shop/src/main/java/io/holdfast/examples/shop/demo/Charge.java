package io.holdfast.examples.shop.demo;

import java.math.BigDecimal;

/** Money that was captured for an order. */
record Charge(String orderId, BigDecimal amount) {}
