package io.holdfast.admin.web;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.WarehouseController;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.handling.Component;
import io.holdfast.spring.HoldfastServiceCustomizer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A service as users write it, with its own controllers. */
@SpringBootApplication
@Import(WarehouseController.class)
class WarehouseApplication {

    @Bean
    Warehouse warehouse() {
        return new Warehouse();
    }

    @Bean
    AggregateType<Warehouse.Order> orders() {
        return Warehouse.ORDER;
    }

    @Bean
    EnqueuePolicy policy(Warehouse warehouse) {
        return warehouse::decide;
    }

    @Bean
    HoldfastServiceCustomizer processors(Warehouse warehouse) {
        return service -> service.processor("shipping", processor -> processor
                        .reads("orders")
                        .calls(Component.of("packing", warehouse.new Packing()).build()))
                .processor("labels", processor -> processor
                        .reads("orders")
                        .calls(Component.of("labelling", new Warehouse.Labelling())
                                .build()));
    }
}
