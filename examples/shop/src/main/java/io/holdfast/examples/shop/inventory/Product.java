package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.util.List;

/**
 * A product and its stock.
 *
 * @param quantityReserved how many of those on hand are kept for orders
 */
public record Product(String name, BigDecimal price, int quantityOnHand, int quantityReserved) {

    public static final String STREAM = "products";

    private static final Product NONE = new Product("", new BigDecimal("0.00"), 0, 0);

    public static final AggregateType<Product> TYPE = AggregateType.of(STREAM, Product.class, NONE)
            .on(
                    ProductCreated.class,
                    (product, event) -> new Product(event.name(), event.price(), event.quantityOnHand(), 0))
            .on(StockAllocated.class, (product, event) -> product.changed(0, event.quantity()))
            .on(StockFreed.class, (product, event) -> product.changed(0, -event.quantity()))
            .on(StockSold.class, (product, event) -> product.changed(-event.quantity(), -event.quantity()))
            .build();

    public int availableQuantity() {
        return quantityOnHand - quantityReserved;
    }

    /** Keeps a quantity for an order, if there is enough. */
    public List<ProductEvent> allocate(String orderId, int quantity) {
        if (availableQuantity() < quantity) {
            throw new InsufficientStockException(name, quantity, availableQuantity());
        }
        return List.of(new StockAllocated(orderId, quantity));
    }

    private Product changed(int onHand, int reserved) {
        return new Product(name, price, quantityOnHand + onHand, quantityReserved + reserved);
    }
}
