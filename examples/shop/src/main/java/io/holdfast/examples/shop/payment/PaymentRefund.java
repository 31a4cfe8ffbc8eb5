package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;

/**
 * Refunds the payment of a cancelled order, at most once. It runs independently of {@link PaymentProcessing} and may be
 * ahead of it. In that case it appends {@link PaymentWithdrawn}, which prevents the later capture.
 */
@EventComponent(name = "payment-refund", processor = "payments", reads = "orders", breaker = "payment-refund")
class PaymentRefund {

    @EventHandler
    void on(OrderCancelled order, EventContext context) {
        context.decide(decision -> refund(order.orderId(), order.reason(), decision));
    }

    static void refund(String orderId, String reason, DecisionContext decision) {
        decision.state(Payment.TYPE, orderId)
                .refund(orderId, reason)
                .forEach(event -> decision.append(Payment.TYPE, orderId, event));
    }

    /** The fields of order's event that this service reads. */
    record OrderCancelled(String orderId, String reason) {}
}
