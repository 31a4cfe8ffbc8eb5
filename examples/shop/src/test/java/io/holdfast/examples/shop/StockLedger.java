package io.holdfast.examples.shop;

import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Computes a product's stock from its events, independently of the code under test. */
final class StockLedger {

    private final PayloadCodec codec = new PayloadCodec();
    private final List<EventMessage> events;

    StockLedger(SimulatedShop shop, String productId) {
        this.events = shop.inventory.events().stream()
                .filter(event ->
                        event.stream().equals("products") && event.key().equals(productId))
                .toList();
    }

    int received() {
        return sum("quantityOnHand", Set.of("ProductCreated")) + sum("quantity", Set.of("StockReplenished"));
    }

    int onHand() {
        return received() - sum("quantity", Set.of("StockSold")) + sum("quantity", Set.of("StockReturned"));
    }

    int reserved() {
        return sum("quantity", Set.of("StockAllocated")) - sum("quantity", Set.of("StockFreed", "StockSold"));
    }

    private int sum(String field, Set<String> types) {
        return events.stream()
                .filter(event -> types.contains(event.type()))
                .mapToInt(event -> codec.decode(event.payload(), JsonNode.class)
                        .path(field)
                        .intValue())
                .sum();
    }
}
