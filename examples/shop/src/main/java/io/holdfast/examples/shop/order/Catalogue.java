package io.holdfast.examples.shop.order;

import io.holdfast.handling.Projection;
import io.holdfast.spring.EventComponent;
import io.holdfast.view.View;
import java.math.BigDecimal;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Projections of inventory's products and account's customers, built from their events. */
@Configuration(proxyBeanMethods = false)
class Catalogue {

    static final View<ProductRow> PRODUCTS = new View<>("catalogue", ProductRow.class);
    static final View<CustomerRow> CUSTOMERS = new View<>("customers", CustomerRow.class);

    @Bean
    @EventComponent(name = "catalogue", reads = "products", resettable = true)
    Projection<ProductRow> products() {
        return Projection.of(PRODUCTS)
                .on(ProductCreated.class, (row, event) -> new ProductRow(event.name(), event.price()));
    }

    @Bean
    @EventComponent(name = "customers", reads = "customers", resettable = true)
    Projection<CustomerRow> customers() {
        return Projection.of(CUSTOMERS).on(CustomerCreated.class, (row, event) -> new CustomerRow(event.name()));
    }

    /** A product that can be ordered, with its price. */
    record ProductRow(String name, BigDecimal price) {}

    /** A customer who can order. */
    record CustomerRow(String name) {}

    /** The fields of inventory's event that this service reads. */
    record ProductCreated(String productId, String name, BigDecimal price) {}

    /** The fields of account's event that this service reads. */
    record CustomerCreated(String customerId, String name) {}
}
