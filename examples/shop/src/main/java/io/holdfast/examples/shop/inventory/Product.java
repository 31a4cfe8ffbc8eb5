package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.util.List;

/**
 * A product and its stock.
 *
 * @param quantityReserved how many of those on hand are kept for orders
 * @param backorder whether orders wait for a restock when there is not enough, instead of being refused
 * @param replenish whether the replenishment monitor keeps its stock above the reorder point
 */
public record Product(
        String productId,
        String sku,
        String name,
        BigDecimal price,
        int quantityOnHand,
        int quantityReserved,
        boolean backorder,
        boolean replenish) {

    public static final String STREAM = "products";

    /** Far below what a sum of two could overflow at. */
    public static final int MAX_ON_HAND = 1_000_000_000;

    /** Available stock below it is replenished. */
    static final int REORDER_POINT = 100;

    static final int REORDER_QUANTITY = 1_000;

    private static final Product NONE = new Product("", "", "", new BigDecimal("0.00"), 0, 0, false, false);

    public static final AggregateType<Product> TYPE = AggregateType.of(STREAM, Product.class, NONE)
            .on(ProductCreated.class, (product, event) -> of(event))
            .on(StockReplenished.class, (product, event) -> product.changed(event.quantity(), 0))
            .on(StockAllocated.class, (product, event) -> product.changed(0, event.quantity()))
            .on(StockFreed.class, (product, event) -> product.changed(0, -event.quantity()))
            .on(StockSold.class, (product, event) -> product.changed(-event.quantity(), -event.quantity()))
            .on(StockReturned.class, (product, event) -> product.changed(event.quantity(), 0))
            .build();

    /** Whether anything is known of this product. */
    boolean exists() {
        return !productId.isEmpty();
    }

    public int availableQuantity() {
        return quantityOnHand - quantityReserved;
    }

    /** @throws StockLimitException if that would be more than anybody can store */
    List<ProductEvent> replenish(int quantity) {
        if (quantity > MAX_ON_HAND - quantityOnHand) {
            throw new StockLimitException(productId, quantityOnHand, quantity);
        }
        return List.of(new StockReplenished(quantity));
    }

    /** What the monitor orders: nothing, unless the stock has fallen below the reorder point. */
    List<ProductEvent> reorder() {
        return replenish && availableQuantity() < REORDER_POINT && quantityOnHand <= MAX_ON_HAND - REORDER_QUANTITY
                ? List.of(new StockReplenished(REORDER_QUANTITY))
                : List.of();
    }

    private static Product of(ProductCreated event) {
        return new Product(
                event.productId(),
                event.sku(),
                event.name(),
                event.price(),
                event.quantityOnHand(),
                0,
                event.backorder(),
                event.replenish());
    }

    private Product changed(int onHand, int reserved) {
        return new Product(
                productId,
                sku,
                name,
                price,
                Math.addExact(quantityOnHand, onHand),
                Math.addExact(quantityReserved, reserved),
                backorder,
                replenish);
    }
}
