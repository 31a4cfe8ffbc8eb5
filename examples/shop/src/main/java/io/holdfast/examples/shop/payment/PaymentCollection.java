package io.holdfast.examples.shop.payment;

import io.holdfast.processing.Component;
import java.math.BigDecimal;

/** Asks for the money once the stock is reserved. */
final class PaymentCollection {

    private PaymentCollection() {}

    static Component component() {
        return Component.named("payment-collection")
                .on(
                        StockReserved.class,
                        (event, context) -> context.decide(
                                Payment.TYPE,
                                event.orderId(),
                                payment -> payment.process(event.orderId(), event.customerId(), event.total())))
                .build();
    }

    /** What is read of inventory's event. */
    record StockReserved(String orderId, String customerId, BigDecimal total) {}
}
