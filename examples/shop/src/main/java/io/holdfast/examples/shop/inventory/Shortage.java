package io.holdfast.examples.shop.inventory;

import java.util.List;
import java.util.stream.Collectors;

/** A product that there is not enough of. */
record Shortage(Product product, String productId, int requested) {

    static String describe(List<Shortage> shortages) {
        return shortages.stream().map(Shortage::describe).collect(Collectors.joining(", "));
    }

    private String describe() {
        return requested + " of " + productId + " wanted, " + product.availableQuantity() + " available";
    }
}
