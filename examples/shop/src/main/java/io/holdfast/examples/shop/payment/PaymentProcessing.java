package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.examples.shop.payment.PaymentGateway.Authorization;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;

/**
 * Captures the total once the stock is reserved, if the payment provider authorizes it. The breaker opens while the
 * provider is down. Events are then HELD and spend no attempts.
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
        Authorization authorization = gateway.authorize(context.idempotencyKey(), stock.customerId(), stock.total());
        context.decide(decision -> process(stock, authorization, decision));
    }

    private static void process(StockReserved stock, Authorization authorization, DecisionContext decision) {
        decision.state(Payment.TYPE, stock.orderId())
                .process(stock.orderId(), stock.customerId(), stock.total(), authorization)
                .forEach(event -> decision.append(Payment.TYPE, stock.orderId(), event, FulfillmentStep.PAYMENT));
    }

    /** The fields of inventory's event that this service reads. */
    record StockReserved(String orderId, String customerId, BigDecimal total) {}
}
