package io.holdfast.examples.shop.demo;

import java.math.BigDecimal;

/**
 * The stock of one product, from its history.
 *
 * @param lowestAvailable the least that was available after any of its events
 */
record StockAccount(
        String productId, BigDecimal price, int atStart, int sold, int left, int reserved, int lowestAvailable) {}
