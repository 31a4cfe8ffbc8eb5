package io.holdfast.examples.shop.inventory;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * @param backorder whether orders wait for a restock if stock is insufficient, instead of being cancelled
 * @param replenish whether the replenishment monitor keeps the stock above the reorder point
 */
public record ProductCreated(
        String productId,
        String sku,
        String name,
        BigDecimal price,
        int quantityOnHand,
        boolean backorder,
        boolean replenish)
        implements ProductEvent {

    public ProductCreated {
        price = price.setScale(2, RoundingMode.UNNECESSARY);
    }
}
