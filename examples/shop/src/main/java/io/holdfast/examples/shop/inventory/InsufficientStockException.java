package io.holdfast.examples.shop.inventory;

import io.holdfast.NonRetryableException;
import java.util.List;

/**
 * There is not enough of products that can be back-ordered; nothing was allocated. The order waits as a dead letter for a
 * restock and a replay.
 */
public final class InsufficientStockException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    InsufficientStockException(String orderId, List<Shortage> shortages) {
        super("order " + orderId + " waits for stock: " + Shortage.describe(shortages)
                + "; replenish the stock, then replay");
    }
}
