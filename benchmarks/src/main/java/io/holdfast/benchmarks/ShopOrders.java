package io.holdfast.benchmarks;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.handling.Component;
import io.holdfast.saga.CompensationRegistry;
import java.util.List;

/** The aggregates, handlers and the saga of a shop in which every order is confirmed. */
final class ShopOrders {

    static final String SAGA_TYPE = "Fulfillment";
    static final String ORDER = "order";
    static final String INVENTORY = "inventory";
    static final String PAYMENT = "payment";
    static final String ORDERS = "orders";
    static final String RESERVATIONS = "reservations";
    static final String PAYMENTS = "payments";

    static final AggregateType<Count> ORDER_TYPE = AggregateType.of(ORDERS, Count.class, new Count(0))
            .on(OrderCreated.class, (count, event) -> count.next())
            .on(OrderConfirmed.class, (count, event) -> count.next())
            .on(OrderCancelled.class, (count, event) -> count.next())
            .build();

    private static final AggregateType<Count> RESERVATION = AggregateType.of(RESERVATIONS, Count.class, new Count(0))
            .on(StockReserved.class, (count, event) -> count.next())
            .build();

    private static final AggregateType<Count> CHARGE = AggregateType.of(PAYMENTS, Count.class, new Count(0))
            .on(PaymentProcessed.class, (count, event) -> count.next())
            .build();

    private ShopOrders() {}

    static void declare(CompensationRegistry registry) {
        registry.saga(SAGA_TYPE)
                .streams(ORDERS, RESERVATIONS, PAYMENTS)
                .register("OrderCreated", "OrderCancelled", ORDER)
                .register("StockReserved", "StockReleased", INVENTORY)
                .register("PaymentProcessed", "PaymentRefunded", PAYMENT)
                .completedBy("OrderConfirmed", ORDER)
                .cancelBy(
                        (saga, decision) -> decision.append(ORDER_TYPE, saga.key(), new OrderCancelled(saga.reason())));
    }

    static Component reserving() {
        return Component.named("reserving")
                .on(
                        OrderCreated.class,
                        (event, context) -> context.decide(
                                RESERVATION,
                                context.event().key(),
                                count -> List.of(new StockReserved(event.amount()))))
                .build();
    }

    static Component charging() {
        return Component.named("charging")
                .on(
                        StockReserved.class,
                        (event, context) -> context.decide(
                                CHARGE, context.event().key(), count -> List.of(new PaymentProcessed(event.amount()))))
                .build();
    }

    static Component confirming() {
        return Component.named("confirming")
                .on(
                        PaymentProcessed.class,
                        (event, context) -> context.decide(
                                ORDER_TYPE,
                                context.event().key(),
                                count -> List.of(new OrderConfirmed(event.amount()))))
                .build();
    }

    /** The number of events of an aggregate. */
    record Count(int events) {

        Count next() {
            return new Count(events + 1);
        }
    }

    /** Step 0. */
    record OrderCreated(int amount) {}

    /** Compensates step 0. */
    record OrderCancelled(String reason) {}

    /** Step 1. */
    record StockReserved(int amount) {}

    /** Step 2. */
    record PaymentProcessed(int amount) {}

    /** Completes the saga. */
    record OrderConfirmed(int amount) {}
}
