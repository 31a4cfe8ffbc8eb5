package io.holdfast.examples.shop.order;

import io.holdfast.processing.Projection;
import io.holdfast.spring.EventComponent;
import io.holdfast.view.View;
import java.math.BigDecimal;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the order service knows of inventory's products and account's customers, by their events. */
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

    /** What can be ordered, and what it costs. */
    record ProductRow(String name, BigDecimal price) {}

    /** Who can order. */
    record CustomerRow(String name) {}

    /** What is read of inventory's event. */
    record ProductCreated(String productId, String name, BigDecimal price) {}

    /** What is read of account's event. */
    record CustomerCreated(String customerId, String name) {}
}
