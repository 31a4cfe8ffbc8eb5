package io.holdfast.examples.shop.payment;

import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;

/**
 * Captures the total once the stock is reserved, if the payment provider authorizes it. The breaker opens while the
 * provider is down. Events are then HELD and spend no attempts. A declined payment is a business outcome: the saga is
 * compensated, and no event is parked.
 */
@EventComponent(
        name = "payment-processing",
        processor = "payments",
        reads = "reservations",
        breaker = "payment-processing",
        callsOutside = true,
        sagaTypes = OrderFulfillment.TYPE,
        retiresSagaTypes = "*")
class PaymentProcessing {

    private final PaymentGateway gateway;

    PaymentProcessing(PaymentGateway gateway) {
        this.gateway = gateway;
    }

    @EventHandler
    void on(StockReserved stock, EventContext context) {
        capture(gateway, stock.orderId(), stock.customerId(), stock.total(), context);
    }

    static void capture(
            PaymentGateway gateway, String orderId, String customerId, BigDecimal total, EventContext context) {
        try {
            gateway.authorize(context.idempotencyKey(), customerId, total);
            context.decide(Payment.TYPE, orderId, payment -> payment.capture(orderId, customerId, total));
        } catch (PaymentDeclinedException e) {
            String reason = String.valueOf(e.getMessage());
            context.decide(Payment.TYPE, orderId, payment -> payment.decline(orderId, customerId, total, reason));
        }
    }

    /** The fields of inventory's event that this service reads. */
    record StockReserved(String orderId, String customerId, BigDecimal total) {}
}
