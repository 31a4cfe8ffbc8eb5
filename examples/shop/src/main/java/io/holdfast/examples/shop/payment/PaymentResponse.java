package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/**
 * A payment, as the REST API returns it.
 *
 * @param paymentId the order's id, because an order has at most one payment
 */
record PaymentResponse(
        String paymentId, String orderId, String customerId, BigDecimal amount, PaymentStatus status, String reason) {

    static PaymentResponse of(String orderId, Payment payment) {
        return new PaymentResponse(
                orderId, orderId, payment.customerId(), payment.amount(), payment.status(), payment.reason());
    }
}
