package io.holdfast.examples.shop.order;

import io.holdfast.processing.Component;

/** Ends an order by what inventory and payment say. */
final class OrderOutcome {

    private OrderOutcome() {}

    static Component component() {
        return Component.named("order-outcome")
                .on(
                        StockReservationFailed.class,
                        (event, context) ->
                                context.decide(Order.TYPE, event.orderId(), order -> order.cancel(event.reason())))
                .on(
                        PaymentProcessed.class,
                        (event, context) -> context.decide(Order.TYPE, event.orderId(), Order::confirm))
                .on(
                        PaymentFailed.class,
                        (event, context) ->
                                context.decide(Order.TYPE, event.orderId(), order -> order.cancel(event.reason())))
                .build();
    }

    /** What is read of inventory's event. */
    record StockReservationFailed(String orderId, String reason) {}

    /** What is read of payment's event. */
    record PaymentProcessed(String orderId) {}

    /** What is read of payment's event. */
    record PaymentFailed(String orderId, String reason) {}
}
