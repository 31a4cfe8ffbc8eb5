package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/**
 * A payment as a caller reads it.
 *
 * @param paymentId the order's id: an order has one payment
 */
record PaymentResponse(
        String paymentId, String orderId, String customerId, BigDecimal amount, PaymentStatus status, String reason) {

    static PaymentResponse of(String orderId, Payment payment) {
        return new PaymentResponse(
                orderId, orderId, payment.customerId(), payment.amount(), payment.status(), payment.reason());
    }
}
