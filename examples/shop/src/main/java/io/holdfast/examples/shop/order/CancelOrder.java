package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.web.ShortText;
import jakarta.validation.constraints.NotNull;

/** Why a customer does not want an order any more. */
record CancelOrder(@NotNull @ShortText String reason) {}
