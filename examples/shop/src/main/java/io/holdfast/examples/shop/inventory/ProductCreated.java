package io.holdfast.examples.shop.inventory;

import java.math.BigDecimal;
import java.math.RoundingMode;

public record ProductCreated(String productId, String name, BigDecimal price, int quantityOnHand)
        implements ProductEvent {

    public ProductCreated {
        price = price.setScale(2, RoundingMode.UNNECESSARY);
    }
}
