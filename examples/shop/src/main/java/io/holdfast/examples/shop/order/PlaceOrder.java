package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.web.Id;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;

/** The request to place an order. Prices come from the catalogue, never from the request. */
record PlaceOrder(
        @NotNull @Id String customerId, @NotNull @Size(min = 1, max = MAX_LINES) List<@NotNull @Valid Item> lineItems) {

    static final int MAX_LINES = 100;
    static final int MAX_QUANTITY = 10_000;

    record Item(@NotNull @Id String productId, @NotNull @Min(1) @Max(MAX_QUANTITY) Integer quantity) {}

    /** @return whether the order is the result of an identical request */
    boolean matches(Order order) {
        return order.customerId().equals(customerId)
                && order.lineItems().stream()
                        .map(line -> new Item(line.productId(), line.quantity()))
                        .toList()
                        .equals(lineItems);
    }
}
