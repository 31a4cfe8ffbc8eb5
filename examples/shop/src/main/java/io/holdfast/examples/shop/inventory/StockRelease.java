package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.processing.EventContext;
import io.holdfast.processing.EventHandler;
import io.holdfast.spring.EventComponent;
import java.util.function.IntFunction;

/**
 * Gives stock back when its order cannot be paid or was cancelled, at most once. It runs beside {@link StockReservation} and
 * {@link StockSale} and may be ahead of them: what it finds decides what it does, and a mark stops a reservation that comes
 * later.
 */
@EventComponent(
        name = "stock-release",
        processor = "stock",
        reads = {"orders", "payments"},
        breaker = "inventory-stock-release")
class StockRelease {

    @EventHandler
    void on(PaymentFailed payment, EventContext context) {
        context.decide(decision -> release(payment.orderId(), payment.reason(), decision));
    }

    @EventHandler
    void on(OrderCancelled order, EventContext context) {
        context.decide(decision -> release(order.orderId(), order.reason(), decision));
    }

    private static void release(String orderId, String reason, DecisionContext decision) {
        Reservation reservation = decision.state(Reservation.TYPE, orderId);
        switch (reservation.status()) {
            case RESERVED -> {
                appendMovements(reservation, quantity -> new StockFreed(orderId, quantity), decision);
                append(orderId, new StockReleased(orderId, reason), decision);
            }
            case FULFILLED -> {
                appendMovements(reservation, quantity -> new StockReturned(orderId, quantity), decision);
                append(orderId, new StockReleased(orderId, reason), decision);
            }
            case NONE -> append(orderId, new ReservationWithdrawn(orderId, reason), decision);
            case FAILED, RELEASED, WITHDRAWN -> {}
        }
    }

    private static void appendMovements(
            Reservation reservation, IntFunction<StockMovement> movement, DecisionContext decision) {
        reservation
                .items()
                .forEach((id, quantity) ->
                        decision.append(Product.TYPE, id, movement.apply(quantity), FulfillmentStep.RELEASE));
    }

    private static void append(String orderId, ReservationEvent event, DecisionContext decision) {
        decision.append(Reservation.TYPE, orderId, event, FulfillmentStep.RELEASE);
    }

    /** What is read of payment's event. */
    record PaymentFailed(String orderId, String reason) {}

    /** What is read of order's event. */
    record OrderCancelled(String orderId, String reason) {}
}
