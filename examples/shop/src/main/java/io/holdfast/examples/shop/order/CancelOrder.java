package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.web.ShortText;
import jakarta.validation.constraints.NotNull;

/** The request to cancel an order. */
record CancelOrder(@NotNull @ShortText String reason) {}
