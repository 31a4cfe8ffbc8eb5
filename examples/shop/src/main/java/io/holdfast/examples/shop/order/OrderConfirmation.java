package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;

/** Confirms an order once its payment is captured. */
@EventComponent(
        name = "order-confirmation",
        processor = "fulfillment",
        reads = "payments",
        breaker = "order-confirmation",
        sagaTypes = OrderFulfillment.TYPE,
        retiresSagaTypes = "*")
class OrderConfirmation {

    @EventHandler
    void on(PaymentProcessed payment, EventContext context) {
        context.decide(decision -> confirm(payment.orderId(), decision));
    }

    static void confirm(String orderId, DecisionContext decision) {
        decision.state(Order.TYPE, orderId).confirm().forEach(event -> decision.append(Order.TYPE, orderId, event));
    }

    /** The fields of payment's event that this service reads. */
    record PaymentProcessed(String orderId) {}
}
