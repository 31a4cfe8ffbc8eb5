package io.holdfast.examples.shop.payment;

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
        callsOutside = true)
class PaymentProcessing {

    private final PaymentGateway gateway;

    PaymentProcessing(PaymentGateway gateway) {
        this.gateway = gateway;
    }

    @EventHandler
    void on(StockReserved stock, EventContext context) {
        try {
            gateway.authorize(context.idempotencyKey(), stock.customerId(), stock.total());
            context.decide(
                    Payment.TYPE,
                    stock.orderId(),
                    payment -> payment.capture(stock.orderId(), stock.customerId(), stock.total()));
        } catch (PaymentDeclinedException e) {
            String reason = String.valueOf(e.getMessage());
            context.decide(
                    Payment.TYPE,
                    stock.orderId(),
                    payment -> payment.decline(stock.orderId(), stock.customerId(), stock.total(), reason));
        }
    }

    /** The fields of inventory's event that this service reads. */
    record StockReserved(String orderId, String customerId, BigDecimal total) {}
}
