package io.holdfast.examples.shop.demo;

import java.math.BigDecimal;

/** The customers and products that a new shop starts with. Idempotent: loading them again changes nothing. */
final class SampleData {

    private SampleData() {}

    /** @return a {@code curl} command that places an order, for the user to copy */
    static String load(ShopClient shop) {
        String ada = shop.createCustomer("ada@example.org", "Ada");
        shop.createCustomer("grace@example.org", "Grace");
        String lamp = shop.createProduct("LAMP-1", "Harbour lamp", new BigDecimal("49.90"), 1_000, false);
        shop.createProduct("ROPE-20", "Rope, 20 m", new BigDecimal("12.35"), 1_000, false);
        shop.createProduct("BOAT-1", "Sailing boat", new BigDecimal("9999.00"), 5, false);
        shop.createProduct("BELL-1", "Ship's bell, made to order", new BigDecimal("180.00"), 0, true);
        shop.createReplenishedProduct("BUOY-1", "Marker buoy", new BigDecimal("25.00"), 60);
        return """
                curl -s -X POST localhost:8083/api/orders -H 'Content-Type: application/json' \\
                  -d '{"customerId":"%s","lineItems":[{"productId":"%s","quantity":2}]}'"""
                .formatted(ada, lamp);
    }
}
