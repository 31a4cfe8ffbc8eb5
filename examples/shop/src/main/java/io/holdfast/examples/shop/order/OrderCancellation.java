package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;

/** Cancels an order whose reservation or payment failed, or whose saga timed out. */
@EventComponent(
        name = "order-cancellation",
        processor = "fulfillment",
        reads = {"reservations", "payments"},
        breaker = "order-cancellation",
        sagaTypes = OrderFulfillment.TYPE,
        retiresSagaTypes = "*")
class OrderCancellation {

    @EventHandler
    void on(StockReservationFailed stock, EventContext context) {
        context.decide(decision -> cancel(stock.orderId(), stock.reason(), decision));
    }

    @EventHandler
    void on(PaymentFailed payment, EventContext context) {
        context.decide(decision -> cancel(payment.orderId(), payment.reason(), decision));
    }

    /** Has no effect if the order is confirmed or cancelled. */
    static void cancel(String orderId, String reason, DecisionContext decision) {
        decision.state(Order.TYPE, orderId).fail(reason).forEach(event -> decision.append(Order.TYPE, orderId, event));
    }

    /** The fields of inventory's event that this service reads. */
    record StockReservationFailed(String orderId, String reason) {}

    /** The fields of payment's event that this service reads. */
    record PaymentFailed(String orderId, String reason) {}
}
