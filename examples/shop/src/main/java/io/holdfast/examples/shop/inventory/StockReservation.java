package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.processing.EventContext;
import io.holdfast.processing.EventHandler;
import io.holdfast.spring.EventComponent;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Keeps stock for a new order: reservation and products in one decision, whole or not at all. */
@EventComponent(
        name = "stock-reservation",
        processor = "stock",
        reads = "orders",
        breaker = "inventory-stock-reservation")
class StockReservation {

    @EventHandler
    void on(OrderCreated order, EventContext context) {
        context.decide(decision -> reserve(order, decision));
    }

    /** Once for an order; and not at all for one that was cancelled meanwhile. */
    private static void reserve(OrderCreated order, DecisionContext decision) {
        if (decision.state(Reservation.TYPE, order.orderId()).status() != ReservationStatus.NONE) {
            return;
        }
        SortedMap<String, Integer> wanted = order.quantities();
        List<Shortage> shortages = shortages(wanted, decision);
        if (shortages.isEmpty()) {
            allocate(order, wanted, decision);
        } else if (shortages.stream().allMatch(shortage -> shortage.product().backorder())) {
            throw new InsufficientStockException(order.orderId(), shortages);
        } else {
            String reason = "not enough stock: " + Shortage.describe(shortages);
            append(order, new StockReservationFailed(order.orderId(), reason), decision);
        }
    }

    private static List<Shortage> shortages(SortedMap<String, Integer> wanted, DecisionContext decision) {
        return wanted.entrySet().stream()
                .map(line -> new Shortage(decision.state(Product.TYPE, line.getKey()), line.getKey(), line.getValue()))
                .filter(line -> line.product().availableQuantity() < line.requested())
                .toList();
    }

    private static void allocate(OrderCreated order, SortedMap<String, Integer> wanted, DecisionContext decision) {
        wanted.forEach((id, quantity) -> decision.append(
                Product.TYPE, id, new StockAllocated(order.orderId(), quantity), FulfillmentStep.RESERVATION));
        append(order, new StockReserved(order.orderId(), order.customerId(), wanted, order.total()), decision);
    }

    private static void append(OrderCreated order, ReservationEvent event, DecisionContext decision) {
        decision.append(Reservation.TYPE, order.orderId(), event, FulfillmentStep.RESERVATION);
    }

    /** What is read of order's event. */
    record OrderCreated(String orderId, String customerId, List<Line> lineItems, BigDecimal total) {

        /** A product that stands in two lines is wanted in both quantities together. */
        SortedMap<String, Integer> quantities() {
            SortedMap<String, Integer> quantities = new TreeMap<>();
            lineItems.forEach(line -> quantities.merge(line.productId(), line.quantity(), Math::addExact));
            return quantities;
        }
    }

    record Line(String productId, int quantity) {}
}
