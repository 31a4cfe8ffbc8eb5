package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.processing.EventContext;
import io.holdfast.processing.EventHandler;
import io.holdfast.spring.EventComponent;

/**
 * Gives the money back when its order was cancelled, at most once. It runs beside {@link PaymentProcessing} and may be ahead of
 * it: then a mark stops the capture that comes later.
 */
@EventComponent(name = "payment-refund", processor = "payments", reads = "orders", breaker = "payment-refund")
class PaymentRefund {

    @EventHandler
    void on(OrderCancelled order, EventContext context) {
        context.decide(decision -> refund(order, decision));
    }

    private static void refund(OrderCancelled order, DecisionContext decision) {
        decision.state(Payment.TYPE, order.orderId())
                .refund(order.orderId(), order.reason())
                .forEach(event -> decision.append(Payment.TYPE, order.orderId(), event, FulfillmentStep.REFUND));
    }

    /** What is read of order's event. */
    record OrderCancelled(String orderId, String reason) {}
}
