package io.holdfast.examples.shop.inventory;

import java.math.BigDecimal;

/** A product, as the REST API returns it. */
record ProductResponse(
        String productId,
        String sku,
        String name,
        BigDecimal price,
        int quantityOnHand,
        int quantityReserved,
        int availableQuantity,
        boolean backorder,
        boolean replenish) {

    static ProductResponse of(Product product) {
        return new ProductResponse(
                product.productId(),
                product.sku(),
                product.name(),
                product.price(),
                product.quantityOnHand(),
                product.quantityReserved(),
                product.availableQuantity(),
                product.backorder(),
                product.replenish());
    }
}
