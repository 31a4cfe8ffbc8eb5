package io.holdfast.admin.web;

import io.holdfast.PermanentException;
import io.holdfast.admin.Warehouse;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.handling.Component;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.HoldfastServiceCustomizer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A service as users write it, with its own controllers. */
@SpringBootApplication
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

    /** Throws what application code may throw. */
    @RestController
    static class UserController {

        private final HoldfastService service;

        UserController(HoldfastService service) {
            this.service = service;
        }

        @GetMapping("/own/busy")
        String busy() {
            throw new CommitterBusyException(1_000);
        }

        @GetMapping("/own/order/{key}")
        String order(@PathVariable("key") String key) {
            Warehouse.order(service, key, "pen");
            return "ordered";
        }

        @GetMapping("/own/rejected")
        String rejected() {
            throw new PermanentException("the customer is unknown");
        }
    }
}
