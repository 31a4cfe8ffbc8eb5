package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.Metadata;
import io.holdfast.processing.Component;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reserves, releases and sells stock by what orders and payments say: reservation and products in one decision. */
final class StockKeeping {

    private static final Metadata COMPENSATING = Metadata.none().withCompensating(true);

    private StockKeeping() {}

    static Component component() {
        return Component.named("stock-keeping")
                .on(OrderCreated.class, (event, context) -> context.decide(decision -> reserve(event, decision)))
                .on(PaymentFailed.class, (event, context) -> context.decide(decision -> release(event, decision)))
                .on(OrderConfirmed.class, (event, context) -> context.decide(decision -> sell(event, decision)))
                .build();
    }

    /** Whole or not at all: a product that is missing refuses before anything is appended. */
    private static void reserve(OrderCreated order, DecisionContext context) {
        if (context.state(Reservation.TYPE, order.orderId()).status() != ReservationStatus.NONE) {
            return;
        }
        SortedMap<String, Integer> wanted = order.quantities();
        List<String> missing = wanted.keySet().stream()
                .filter(id -> context.state(Product.TYPE, id).availableQuantity() < wanted.getOrDefault(id, 0))
                .toList();
        if (!missing.isEmpty()) {
            String reason = "not enough stock of " + String.join(", ", missing);
            context.append(Reservation.TYPE, order.orderId(), new StockReservationFailed(order.orderId(), reason));
            return;
        }
        wanted.forEach(
                (id, quantity) -> context.append(Product.TYPE, id, new StockAllocated(order.orderId(), quantity)));
        context.append(
                Reservation.TYPE,
                order.orderId(),
                new StockReserved(order.orderId(), order.customerId(), wanted, order.total()));
    }

    /** At most once: only what is still reserved can be released. */
    private static void release(PaymentFailed payment, DecisionContext context) {
        Reservation reservation = context.state(Reservation.TYPE, payment.orderId());
        if (reservation.status() == ReservationStatus.RESERVED) {
            reservation
                    .items()
                    .forEach((id, quantity) -> context.append(
                            Product.TYPE, id, new StockFreed(payment.orderId(), quantity), COMPENSATING));
            context.append(
                    Reservation.TYPE,
                    payment.orderId(),
                    new StockReleased(payment.orderId(), payment.reason()),
                    COMPENSATING);
        }
    }

    private static void sell(OrderConfirmed order, DecisionContext context) {
        Reservation reservation = context.state(Reservation.TYPE, order.orderId());
        if (reservation.status() == ReservationStatus.RESERVED) {
            reservation
                    .items()
                    .forEach((id, quantity) ->
                            context.append(Product.TYPE, id, new StockSold(order.orderId(), quantity)));
            context.append(Reservation.TYPE, order.orderId(), new ReservationFulfilled(order.orderId()));
        }
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

    /** What is read of order's event. */
    record OrderConfirmed(String orderId) {}

    /** What is read of payment's event. */
    record PaymentFailed(String orderId, String reason) {}
}
