package io.holdfast.examples.shop.inventory;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** The request to add stock to a product. */
record ReplenishStock(@NotNull @Min(1) @Max(MAX_QUANTITY) Integer quantity) {

    static final int MAX_QUANTITY = 1_000_000;
}
