package io.holdfast.examples.shop.inventory;

import io.holdfast.handling.Component;
import io.holdfast.handling.Projection;
import io.holdfast.spring.EventComponent;
import io.holdfast.view.View;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Projections that list the products. They do not contain the stock: it changes with every order and is read from the
 * product aggregates.
 */
@Configuration(proxyBeanMethods = false)
class ProductListing {

    static final View<ProductRow> PRODUCTS = new View<>("products", ProductRow.class);

    /** The products that the replenishment monitor covers. */
    static final View<ProductRow> REPLENISHED = new View<>("replenished-products", ProductRow.class);

    @Bean
    @EventComponent(name = "product-listing", reads = Product.STREAM, resettable = true)
    Projection<ProductRow> products() {
        return Projection.of("product-listing", PRODUCTS)
                .on(ProductCreated.class, (row, event) -> new ProductRow(event.productId()));
    }

    @Bean
    @EventComponent(
            name = "replenished-products",
            processor = "product-listing",
            reads = Product.STREAM,
            resettable = true)
    Component replenishedProducts() {
        return Component.named("replenished-products")
                .on(ProductCreated.class, (event, context) -> {
                    if (event.replenish()) {
                        context.update(REPLENISHED, event.productId(), row -> new ProductRow(event.productId()));
                    }
                })
                .resettable()
                .build();
    }

    record ProductRow(String productId) {}
}
