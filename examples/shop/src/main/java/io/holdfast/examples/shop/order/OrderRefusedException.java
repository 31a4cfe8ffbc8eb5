package io.holdfast.examples.shop.order;

import io.holdfast.NonRetryableException;

/** An order that cannot be taken as it is; nothing was stored. */
public final class OrderRefusedException extends RuntimeException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    public OrderRefusedException(String message) {
        super(message);
    }
}
