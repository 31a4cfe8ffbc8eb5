package io.holdfast.examples.shop.payment;

import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;

/**
 * Captures and refunds payments on command of the orchestrated checkout. One component handles both commands, so that they
 * stay in order, also if one of them is parked.
 */
@EventComponent(
        name = "checkout-payment",
        processor = "payments",
        reads = "order.sagas",
        breaker = "payment-processing",
        sagaTypes = OrderFulfillment.ORCHESTRATED_TYPE,
        callsOutside = true)
class CheckoutPayment {

    private final PaymentGateway gateway;

    CheckoutPayment(PaymentGateway gateway) {
        this.gateway = gateway;
    }

    @EventHandler
    void on(ChargePayment command, EventContext context) {
        PaymentProcessing.capture(gateway, command.orderId(), command.customerId(), command.total(), context);
    }

    @EventHandler
    void on(RefundPayment command, EventContext context) {
        context.decide(decision -> PaymentRefund.refund(command.orderId(), "checkout failed", decision));
    }

    /** The fields of order's command that this service reads. */
    record ChargePayment(String orderId, String customerId, BigDecimal total) {}

    /** The fields of order's command that this service reads. */
    record RefundPayment(String orderId) {}
}
