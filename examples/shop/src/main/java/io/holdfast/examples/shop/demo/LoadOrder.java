package io.holdfast.examples.shop.demo;

import java.time.Duration;

/**
 * An order that the shop has accepted.
 *
 * @param responseTime how long the answer took, the last time it was asked for
 * @param attempts how often it was asked for until there was an answer
 */
record LoadOrder(LoadProducts.PlannedOrder planned, String orderId, Duration responseTime, int attempts) {}
