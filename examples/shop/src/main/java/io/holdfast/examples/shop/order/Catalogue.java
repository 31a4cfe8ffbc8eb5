package io.holdfast.examples.shop.order;

import io.holdfast.processing.Component;
import io.holdfast.view.View;
import java.math.BigDecimal;

/** A projection of inventory's products: what the order service knows of them, and takes prices from. */
final class Catalogue {

    static final View<Entry> VIEW = new View<>("catalogue", Entry.class);

    private Catalogue() {}

    static Component component() {
        return Component.named("catalogue")
                .on(
                        ProductCreated.class,
                        (event, context) -> context.update(
                                VIEW, event.productId(), before -> new Entry(event.name(), event.price())))
                .build();
    }

    record Entry(String name, BigDecimal price) {}

    /** What is read of inventory's event. */
    record ProductCreated(String productId, String name, BigDecimal price) {}
}
