package io.holdfast.examples.shop.inventory;

import io.holdfast.NonRetryableException;

/** There is not enough of a product; nothing was allocated. */
public final class InsufficientStockException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    InsufficientStockException(String product, int wanted, int available) {
        super("not enough of " + product + ": " + wanted + " wanted, " + available + " available");
    }
}
