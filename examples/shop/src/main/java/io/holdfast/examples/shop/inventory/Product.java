package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.util.List;

/**
 * A product and its stock.
 *
 * @param quantityReserved the part of the quantity on hand that is reserved for orders
 * @param backorder whether orders wait for a restock if stock is insufficient, instead of being cancelled
 * @param replenish whether the replenishment monitor keeps the stock above the reorder point
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

    /** Low enough that the sum of two quantities cannot overflow. */
    public static final int MAX_ON_HAND = 1_000_000_000;

    /** The monitor replenishes a product if its available quantity falls below this. */
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

    boolean exists() {
        return !productId.isEmpty();
    }

    public int availableQuantity() {
        return quantityOnHand - quantityReserved;
    }

    /** @throws StockLimitException if the quantity on hand would exceed {@link #MAX_ON_HAND} */
    List<ProductEvent> replenish(int quantity) {
        if (quantity > MAX_ON_HAND - quantityOnHand) {
            throw new StockLimitException(productId, quantityOnHand, quantity);
        }
        return List.of(new StockReplenished(quantity));
    }

    /**
     * Replenishes the product if the monitor covers it and its stock is below the reorder point; otherwise does
     * nothing.
     */
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
