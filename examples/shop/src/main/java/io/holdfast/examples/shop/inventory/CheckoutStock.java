package io.holdfast.examples.shop.inventory;

import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;
import java.util.List;

/**
 * Reserves and releases stock on command of the orchestrated checkout. One component handles both commands, so that they
 * stay in order, also if one of them is parked.
 */
@EventComponent(
        name = "checkout-stock",
        processor = "stock",
        reads = "order.sagas",
        breaker = "inventory-stock-reservation",
        sagaTypes = OrderFulfillment.ORCHESTRATED_TYPE)
class CheckoutStock {

    @EventHandler
    void on(ReserveStock command, EventContext context) {
        StockReservation.OrderCreated order = new StockReservation.OrderCreated(
                command.orderId(), command.customerId(), command.lineItems(), command.total());
        context.decide(decision -> StockReservation.reserve(order, decision));
    }

    @EventHandler
    void on(ReleaseStock command, EventContext context) {
        context.decide(decision -> StockRelease.release(command.orderId(), "checkout failed", decision));
    }

    /** The fields of order's command that this service reads. */
    record ReserveStock(String orderId, String customerId, List<StockReservation.Line> lineItems, BigDecimal total) {

        ReserveStock {
            lineItems = List.copyOf(lineItems);
        }
    }

    /** The fields of order's command that this service reads. */
    record ReleaseStock(String orderId) {}
}
