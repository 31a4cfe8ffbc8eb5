package io.holdfast.examples.shop.inventory;

import io.holdfast.NonRetryableException;
import java.util.List;

/**
 * The stock of a backorder product is insufficient. Nothing was allocated. The order's event is parked as a dead letter
 * until an operator restocks the product and replays it.
 */
public final class InsufficientStockException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    InsufficientStockException(String orderId, List<Shortage> shortages) {
        super("order " + orderId + " waits for a restock (" + Shortage.describe(shortages)
                + "); replenish the stock, then replay");
    }
}
