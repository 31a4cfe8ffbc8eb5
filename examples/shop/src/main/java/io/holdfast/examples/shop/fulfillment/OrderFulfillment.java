package io.holdfast.examples.shop.fulfillment;

import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaDeclaration;
import java.time.Duration;

/** Declares the saga of an order: from its creation to its confirmation, or back. */
public final class OrderFulfillment {

    public static final String TYPE = "OrderFulfillment";

    /** The same business transaction, orchestrated by the order service. */
    public static final String ORCHESTRATED_TYPE = "OrderCheckout";

    /** A customer waits no longer for a confirmation. After this time, the order is cancelled. */
    public static final Duration DEADLINE = Duration.ofSeconds(60);

    private OrderFulfillment() {}

    public static String sagaId(String orderId) {
        return "saga-" + orderId;
    }

    /** The order service, which tracks the saga, adds how it cancels an order. */
    public static SagaDeclaration declare(CompensationRegistry registry) {
        return registry.saga(TYPE)
                .streams("orders", "reservations", "payments")
                .timeout(DEADLINE)
                .register("OrderCreated", "OrderCancelled", "order")
                .register("StockReserved", "StockReleased", "inventory")
                .failedBy("StockReservationFailed")
                .withdrawnBy("ReservationWithdrawn")
                .register("PaymentProcessed", "PaymentRefunded", "payment")
                .failedBy("PaymentFailed")
                .withdrawnBy("PaymentWithdrawn")
                .completedBy("OrderConfirmed", "order");
    }
}
