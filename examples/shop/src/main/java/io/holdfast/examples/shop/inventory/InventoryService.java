package io.holdfast.examples.shop.inventory;

import io.holdfast.eventsourcing.Command;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.wire.Wire;
import java.math.BigDecimal;
import java.util.List;

/** Keeps products and their stock. For any number of threads. */
public final class InventoryService implements AutoCloseable {

    public static final String NAME = "inventory";

    private final HoldfastService engine;

    private InventoryService(HoldfastService engine) {
        this.engine = engine;
    }

    /** Goes on from what the store has. */
    public static InventoryService start(Store store, Wire wire) {
        return new InventoryService(HoldfastService.named(NAME, store, wire)
                .owns(Product.STREAM, Reservation.STREAM)
                .processor(
                        "stock",
                        processor -> processor.reads("orders", "payments").calls(StockKeeping.component()))
                .start());
    }

    /** Adds a product under an id of the caller's; the same id again changes nothing. */
    public void addProduct(String productId, String name, BigDecimal price, int quantityOnHand) {
        engine.commands()
                .execute(
                        Command.keyed("POST /api/products", productId),
                        Product.TYPE,
                        productId,
                        product -> List.of(new ProductCreated(productId, name, price, quantityOnHand)));
    }

    public Product product(String productId) {
        return engine.commands().state(Product.TYPE, productId);
    }

    public HoldfastService engine() {
        return engine;
    }

    @Override
    public void close() {
        engine.close();
    }
}
