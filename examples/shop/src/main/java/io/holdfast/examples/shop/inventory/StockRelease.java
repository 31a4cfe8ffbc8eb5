package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.util.function.IntFunction;

/**
 * Releases the stock of an order that was cancelled or whose payment failed, at most once. It runs independently of
 * {@link StockReservation} and {@link StockSale} and may be ahead of them. It acts on the status of the reservation; if
 * none exists yet, it appends {@link ReservationWithdrawn}, which prevents the later reservation.
 */
@EventComponent(
        name = "stock-release",
        processor = "stock",
        reads = {"orders", "payments"},
        breaker = "inventory-stock-release")
class StockRelease {

    @EventHandler
    void on(PaymentFailed payment, EventContext context) {
        String sagaType = context.event().metadata().sagaType().orElse(OrderFulfillment.TYPE);
        if (sagaType.equals(OrderFulfillment.TYPE)) { // otherwise the orchestrator directs the release
            context.decide(decision -> release(payment.orderId(), payment.reason(), decision));
        }
    }

    @EventHandler
    void on(OrderCancelled order, EventContext context) {
        context.decide(decision -> release(order.orderId(), order.reason(), decision));
    }

    static void release(String orderId, String reason, DecisionContext decision) {
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
        reservation.items().forEach((id, quantity) -> decision.append(Product.TYPE, id, movement.apply(quantity)));
    }

    private static void append(String orderId, ReservationEvent event, DecisionContext decision) {
        decision.append(Reservation.TYPE, orderId, event);
    }

    /** The fields of payment's event that this service reads. */
    record PaymentFailed(String orderId, String reason) {}

    /** The fields of order's event that this service reads. */
    record OrderCancelled(String orderId, String reason) {}
}
