package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;

/**
 * A payment as a caller reads it.
 *
 * @param paymentId the order's id: an order has one payment
 */
record PaymentAnswer(
        String paymentId, String orderId, String customerId, BigDecimal amount, PaymentStatus status, String reason) {

    static PaymentAnswer of(String orderId, Payment payment) {
        return new PaymentAnswer(
                orderId, orderId, payment.customerId(), payment.amount(), payment.status(), payment.reason());
    }
}
