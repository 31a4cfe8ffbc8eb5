package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.Decision;
import io.holdfast.handling.Component;
import java.math.BigDecimal;
import java.util.List;

/** Components and decisions of this service, for tests in other packages. */
public final class InventoryFixtures {

    private InventoryFixtures() {}

    public static List<Component> components() {
        return List.of(reservation(), release(), sale());
    }

    static Component reservation() {
        return Component.of("stock-reservation", new StockReservation()).build();
    }

    static Component release() {
        return Component.of("stock-release", new StockRelease()).build();
    }

    static Component sale() {
        return Component.of("stock-sale", new StockSale()).build();
    }

    public static Decision createProduct(String productId, String price, int quantity, boolean backorder) {
        return Decision.over(
                Product.TYPE,
                productId,
                none -> List.of(new ProductCreated(
                        productId, productId, productId, new BigDecimal(price), quantity, backorder, false)));
    }

    public static Decision replenishStock(String productId, int quantity) {
        return Decision.over(Product.TYPE, productId, product -> product.replenish(quantity));
    }
}
