package io.holdfast.examples.shop.demo;

import java.time.Duration;

/**
 * An order that the shop accepted.
 *
 * @param responseTime the response time of the last attempt
 * @param attempts the number of attempts, including the accepted one
 */
record LoadOrder(LoadProducts.PlannedOrder planned, String orderId, Duration responseTime, int attempts) {}
