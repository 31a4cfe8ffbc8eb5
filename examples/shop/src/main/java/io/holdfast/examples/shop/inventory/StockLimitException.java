package io.holdfast.examples.shop.inventory;

import io.holdfast.NonRetryableException;

/** More stock than anybody can store; nothing was changed. */
public final class StockLimitException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    StockLimitException(String productId, int onHand, int more) {
        super("product " + productId + " has " + onHand + " on hand; " + more + " more would pass the limit of "
                + Product.MAX_ON_HAND);
    }
}
