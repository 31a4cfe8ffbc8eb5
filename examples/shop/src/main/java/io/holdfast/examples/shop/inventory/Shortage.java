package io.holdfast.examples.shop.inventory;

import java.util.List;
import java.util.stream.Collectors;

/** A product whose available quantity is below the requested one. */
record Shortage(Product product, String productId, int requested) {

    static String describe(List<Shortage> shortages) {
        return shortages.stream().map(Shortage::describe).collect(Collectors.joining(", "));
    }

    private String describe() {
        return requested + " of " + productId + " requested, " + product.availableQuantity() + " available";
    }
}
