package io.holdfast.examples.shop.inventory;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * @param backorder whether orders wait for a restock when there is not enough, instead of being refused
 * @param replenish whether the replenishment monitor keeps its stock above the reorder point
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
