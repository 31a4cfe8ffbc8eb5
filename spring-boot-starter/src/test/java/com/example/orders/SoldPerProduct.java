package com.example.orders;

import io.holdfast.handling.Projection;
import io.holdfast.spring.EventComponent;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

record SoldPerProduct(int quantity) {

    static final View<SoldPerProduct> VIEW = new View<>("sold-per-product", SoldPerProduct.class);

    SoldPerProduct plus(int more) {
        return new SoldPerProduct(quantity + more);
    }

    @Configuration
    static class Views {

        @Bean
        @EventComponent(name = "sold-per-product", reads = "orders")
        Projection<SoldPerProduct> soldPerProduct() {
            return Projection.of(VIEW).on(OrderPlaced.class, OrderPlaced::product, (row, event) -> (row == null
                            ? new SoldPerProduct(0)
                            : row)
                    .plus(event.quantity()));
        }
    }

    @RestController
    static class Sales {

        private final ViewRows views;

        Sales(ViewRows views) {
            this.views = views;
        }

        @GetMapping("/products/{product}/sold")
        SoldPerProduct sold(@PathVariable String product) {
            return views.find(VIEW, product).orElse(new SoldPerProduct(0));
        }
    }
}
