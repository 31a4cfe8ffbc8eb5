package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/** The payment provider. It is outside of the shop and can be down or slow. Thread-safe. */
interface PaymentGateway {

    /**
     * Authorizes a payment: reserves the amount on the customer's account. An authorization that is not captured
     * expires, so it does no harm if the order has been cancelled meanwhile.
     *
     * @param idempotencyKey identifies the request; a repeated request gets the same response
     * @throws PaymentDeclinedException if the provider declines the payment
     * @throws RuntimeException if the provider does not respond
     */
    void authorize(String idempotencyKey, String customerId, BigDecimal amount);
}
