package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.web.ShortText;

/** Why a customer does not want an order any more. */
record CancelOrder(@ShortText String reason) {}
