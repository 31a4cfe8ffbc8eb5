package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;

/** Captures the total once the stock is reserved. */
@EventComponent(
        name = "payment-processing",
        processor = "payments",
        reads = "reservations",
        breaker = "payment-processing")
class PaymentProcessing {

    @EventHandler
    void on(StockReserved stock, EventContext context) {
        context.decide(decision -> process(stock, decision));
    }

    private static void process(StockReserved stock, DecisionContext decision) {
        decision.state(Payment.TYPE, stock.orderId())
                .process(stock.orderId(), stock.customerId(), stock.total())
                .forEach(event -> decision.append(Payment.TYPE, stock.orderId(), event, FulfillmentStep.PAYMENT));
    }

    /** The fields of inventory's event that this service reads. */
    record StockReserved(String orderId, String customerId, BigDecimal total) {}
}
