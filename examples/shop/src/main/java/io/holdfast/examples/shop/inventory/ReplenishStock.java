package io.holdfast.examples.shop.inventory;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** How much of a product has come in. */
record ReplenishStock(@NotNull @Min(1) @Max(MAX_QUANTITY) Integer quantity) {

    static final int MAX_QUANTITY = 1_000_000;
}
