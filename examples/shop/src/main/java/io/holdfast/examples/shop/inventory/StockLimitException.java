package io.holdfast.examples.shop.inventory;

import io.holdfast.NonRetryableException;

/** The quantity on hand would exceed {@link Product#MAX_ON_HAND}. Nothing was changed. */
public final class StockLimitException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    StockLimitException(String productId, int onHand, int added) {
        super("product " + productId + " has " + onHand + " on hand; adding " + added + " would exceed the limit of "
                + Product.MAX_ON_HAND);
    }
}
