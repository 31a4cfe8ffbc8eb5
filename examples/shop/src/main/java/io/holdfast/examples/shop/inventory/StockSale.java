package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;

/** Sells the reserved stock once the order is confirmed, unless it was released first. */
@EventComponent(name = "stock-sale", processor = "stock", reads = "orders")
class StockSale {

    @EventHandler
    void on(OrderConfirmed order, EventContext context) {
        context.decide(decision -> sell(order.orderId(), decision));
    }

    private static void sell(String orderId, DecisionContext decision) {
        Reservation reservation = decision.state(Reservation.TYPE, orderId);
        if (reservation.status() == ReservationStatus.RESERVED) {
            reservation
                    .items()
                    .forEach((id, quantity) -> decision.append(Product.TYPE, id, new StockSold(orderId, quantity)));
            decision.append(Reservation.TYPE, orderId, new ReservationFulfilled(orderId));
        }
    }

    /** The fields of order's event that this service reads. */
    record OrderConfirmed(String orderId) {}
}
