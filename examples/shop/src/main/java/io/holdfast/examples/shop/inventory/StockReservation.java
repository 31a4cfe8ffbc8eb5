package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reserves the stock of a new order: reservation and products in one decision, all lines or none. */
@EventComponent(
        name = "stock-reservation",
        processor = "stock",
        reads = "orders",
        breaker = "inventory-stock-reservation",
        sagaTypes = OrderFulfillment.TYPE,
        retiresSagaTypes = "*")
class StockReservation {

    @EventHandler
    void on(OrderCreated order, EventContext context) {
        context.decide(decision -> reserve(order, decision));
    }

    /** Reserves at most once per order, and not at all if the order was cancelled first. */
    static void reserve(OrderCreated order, DecisionContext decision) {
        if (decision.state(Reservation.TYPE, order.orderId()).status() != ReservationStatus.NONE) {
            return;
        }
        SortedMap<String, Integer> requested = order.quantities();
        List<Shortage> shortages = shortages(requested, decision);
        if (shortages.isEmpty()) {
            allocate(order, requested, decision);
        } else if (shortages.stream().allMatch(shortage -> shortage.product().backorder())) {
            throw new InsufficientStockException(order.orderId(), shortages);
        } else {
            String reason = "insufficient stock: " + Shortage.describe(shortages);
            append(order, new StockReservationFailed(order.orderId(), reason), decision);
        }
    }

    private static List<Shortage> shortages(SortedMap<String, Integer> requested, DecisionContext decision) {
        return requested.entrySet().stream()
                .map(line -> new Shortage(decision.state(Product.TYPE, line.getKey()), line.getKey(), line.getValue()))
                .filter(line -> line.product().availableQuantity() < line.requested())
                .toList();
    }

    private static void allocate(OrderCreated order, SortedMap<String, Integer> requested, DecisionContext decision) {
        requested.forEach(
                (id, quantity) -> decision.append(Product.TYPE, id, new StockAllocated(order.orderId(), quantity)));
        append(order, new StockReserved(order.orderId(), order.customerId(), requested, order.total()), decision);
    }

    private static void append(OrderCreated order, ReservationEvent event, DecisionContext decision) {
        decision.append(Reservation.TYPE, order.orderId(), event);
    }

    /** The fields of order's event that this service reads. */
    record OrderCreated(String orderId, String customerId, List<Line> lineItems, BigDecimal total) {

        /** Returns the quantities by product id. The quantities of a product in several lines are added. */
        SortedMap<String, Integer> quantities() {
            SortedMap<String, Integer> quantities = new TreeMap<>();
            lineItems.forEach(line -> quantities.merge(line.productId(), line.quantity(), Math::addExact));
            return quantities;
        }
    }

    record Line(String productId, int quantity) {}
}
