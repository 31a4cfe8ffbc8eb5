package io.holdfast.tck.saga;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaCancellation;
import io.holdfast.saga.SagaState;
import io.holdfast.tck.harness.StoreHarness;
import java.util.List;

/** A small domain with a saga of four steps: an order is created, its stock reserved, its price charged, and confirmed. */
final class Trade {

    static final String SAGA_TYPE = "Trade";
    static final String TRACKER = StoreHarness.SERVICE;
    static final String INVENTORY = "inventory";
    static final String PAYMENT = "payment";
    static final String ORDERS = "orders";
    static final String RESERVATIONS = "reservations";
    static final String PAYMENTS = "payments";

    static final AggregateType<Order> ORDER = AggregateType.of(ORDERS, Order.class, new Order(Order.ABSENT))
            .on(OrderCreated.class, (order, event) -> new Order(Order.OPEN))
            .on(OrderConfirmed.class, (order, event) -> new Order(Order.CONFIRMED))
            .on(OrderCancelled.class, (order, event) -> new Order(Order.CANCELLED))
            .build();

    static final AggregateType<Effect> STOCK = AggregateType.of(RESERVATIONS, Effect.class, Effect.NONE)
            .on(StockReserved.class, (effect, event) -> Effect.DONE)
            .on(StockReservationFailed.class, (effect, event) -> Effect.REFUSED)
            .on(StockReleased.class, (effect, event) -> Effect.REFUSED)
            .on(ReservationWithdrawn.class, (effect, event) -> Effect.REFUSED)
            .build();

    static final AggregateType<Effect> CHARGE = AggregateType.of(PAYMENTS, Effect.class, Effect.NONE)
            .on(PaymentProcessed.class, (effect, event) -> Effect.DONE)
            .on(PaymentFailed.class, (effect, event) -> Effect.REFUSED)
            .on(PaymentRefunded.class, (effect, event) -> Effect.REFUSED)
            .on(PaymentWithdrawn.class, (effect, event) -> Effect.REFUSED)
            .build();

    private Trade() {}

    /** Returns the saga types, as a list or count names them. */
    static List<String> types() {
        return List.of(SAGA_TYPE);
    }

    /** Declares the saga, as every service does. */
    static void declare(CompensationRegistry registry, SagaCancellation cancellation) {
        registry.saga(SAGA_TYPE)
                .streams(ORDERS, RESERVATIONS, PAYMENTS)
                .register("OrderCreated", "OrderCancelled", TRACKER)
                .register("StockReserved", "StockReleased", INVENTORY)
                .failedBy("StockReservationFailed")
                .withdrawnBy("ReservationWithdrawn")
                .register("PaymentProcessed", "PaymentRefunded", PAYMENT)
                .failedBy("PaymentFailed")
                .withdrawnBy("PaymentWithdrawn")
                .completedBy("OrderConfirmed", TRACKER)
                .cancelBy(cancellation);
    }

    /** The local compensation: cancels the order unless it is confirmed. */
    static void cancel(SagaState saga, DecisionContext decision) {
        cancel(saga.key(), saga.reason(), decision);
    }

    static void cancel(String order, String reason, DecisionContext decision) {
        if (decision.state(ORDER, order).status().equals(Order.OPEN)) {
            decision.append(ORDER, order, new OrderCancelled(reason));
        }
    }

    /** @param status a text, so that its JSON is the same in every store */
    record Order(String status) {

        static final String ABSENT = "ABSENT";
        static final String OPEN = "OPEN";
        static final String CONFIRMED = "CONFIRMED";
        static final String CANCELLED = "CANCELLED";
    }

    /** What a participant has done for an order. */
    record Effect(String state) {

        static final Effect NONE = new Effect("NONE");
        static final Effect DONE = new Effect("DONE");
        static final Effect REFUSED = new Effect("REFUSED");
    }

    /** Step 0 is done. */
    record OrderCreated(int amount) {}

    /** Step 0 is undone. */
    record OrderCancelled(String reason) {}

    /** The saga is completed. */
    record OrderConfirmed(int amount) {}

    /** Step 1 is done. */
    record StockReserved(int amount) {}

    /** Step 1 was refused. */
    record StockReservationFailed(String reason) {}

    /** Step 1 is undone. */
    record StockReleased(int amount) {}

    /** Step 1 was cancelled before it was done. */
    record ReservationWithdrawn(int amount) {}

    /** Step 2 is done. */
    record PaymentProcessed(int amount) {}

    /** Step 2 was refused. */
    record PaymentFailed(String reason) {}

    /** Step 2 is undone. */
    record PaymentRefunded(int amount) {}

    /** Step 2 was cancelled before it was done. */
    record PaymentWithdrawn(int amount) {}
}
