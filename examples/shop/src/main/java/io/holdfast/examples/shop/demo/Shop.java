package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.inventory.InventoryService;
import io.holdfast.examples.shop.order.OrderService;
import io.holdfast.examples.shop.payment.PaymentService;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** All services of the shop in one JVM: a store for each, one wire between them. */
record Shop(OrderService orders, InventoryService inventory, PaymentService payments) implements AutoCloseable {

    static Shop start(InMemoryWire wire) {
        return new Shop(
                OrderService.start(store(OrderService.NAME), wire),
                InventoryService.start(store(InventoryService.NAME), wire),
                PaymentService.start(store(PaymentService.NAME), wire));
    }

    private static InMemoryStore store(String service) {
        return new InMemoryStore(service, Clock.systemUTC());
    }

    /** By the name of the service. */
    Map<String, HoldfastService> engines() {
        Map<String, HoldfastService> engines = new LinkedHashMap<>();
        engines.put(OrderService.NAME, orders.engine());
        engines.put(InventoryService.NAME, inventory.engine());
        engines.put(PaymentService.NAME, payments.engine());
        return engines;
    }

    @Override
    public void close() {
        orders.close();
        inventory.close();
        payments.close();
    }
}
