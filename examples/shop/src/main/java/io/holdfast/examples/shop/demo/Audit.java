package io.holdfast.examples.shop.demo;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingInt;

import io.holdfast.examples.shop.inventory.Reservation;
import io.holdfast.examples.shop.inventory.ReservationStatus;
import io.holdfast.examples.shop.order.CustomerOrders;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.examples.shop.order.OrderLine;
import io.holdfast.examples.shop.order.OrderStatus;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares the books of the services with each other and says, in words, what does not fit. */
final class Audit {

    private final Books books;
    private final Map<String, List<StockMove>> movesByOrder;
    private final Map<String, List<Charge>> chargesByOrder;
    private final List<String> findings = new ArrayList<>();

    private Audit(Books books) {
        this.books = books;
        this.movesByOrder = books.moves().stream().collect(groupingBy(StockMove::orderId));
        this.chargesByOrder = books.charges().stream().collect(groupingBy(Charge::orderId));
    }

    /** @return empty if the books balance */
    static List<String> of(Books books) {
        Audit audit = new Audit(books);
        books.stock().forEach(audit::checkStock);
        books.orders().forEach(audit::checkOrder);
        audit.checkNothingWithoutAnOrder();
        audit.checkMoney();
        audit.findings.addAll(books.gaps());
        return audit.findings;
    }

    private void checkStock(StockAccount stock) {
        String product = "stock of " + stock.productId() + ": ";
        expect(stock.atStart(), stock.sold() + stock.left(), product + "sold and left");
        expect(0, stock.reserved(), product + "still reserved");
        if (stock.lowestAvailable() < 0) {
            findings.add(product + "oversold, " + stock.lowestAvailable() + " were available");
        }
    }

    private void checkOrder(String id, Order order) {
        String name = "order " + id + ": ";
        if (order.status() == OrderStatus.PENDING) {
            findings.add(name + "has not ended");
            return;
        }
        boolean confirmed = order.status() == OrderStatus.CONFIRMED;
        expect(costs(order), order.total(), name + "total");
        expect(confirmed ? List.of(order.total()) : List.of(), charged(id), name + "payments");
        expect(confirmed ? OrderStatus.CONFIRMED : OrderStatus.CANCELLED, projected(id, order), name + "projection");
        checkMoves(name, id, quantities(order), confirmed);
    }

    /** Reserved whole or not at all; then all of it sold, or all of it freed, once. */
    private void checkMoves(String name, String id, Map<String, Integer> ordered, boolean confirmed) {
        Reservation reservation = books.reservations().get(id);
        ReservationStatus status = reservation == null ? ReservationStatus.NONE : reservation.status();
        boolean released = status == ReservationStatus.RELEASED;
        if (confirmed ? status != ReservationStatus.FULFILLED : !released && status != ReservationStatus.FAILED) {
            findings.add(name + (confirmed ? "confirmed" : "cancelled") + ", but its reservation is " + status);
        }
        expect(confirmed || released ? ordered : Map.of(), moved("StockAllocated", id), name + "allocated");
        expect(confirmed ? ordered : Map.of(), moved("StockSold", id), name + "sold");
        expect(released ? ordered : Map.of(), moved("StockFreed", id), name + "freed");
    }

    private void checkNothingWithoutAnOrder() {
        books.charges().stream()
                .filter(charge -> !books.orders().containsKey(charge.orderId()))
                .forEach(charge -> findings.add("a payment of " + charge.amount() + " was captured for order "
                        + charge.orderId() + ", which does not exist"));
        books.reservations().keySet().stream()
                .filter(id -> !books.orders().containsKey(id))
                .forEach(id -> findings.add("a reservation was made for order " + id + ", which does not exist"));
    }

    private void checkMoney() {
        expect(books.confirmedTotal(), books.captured(), "money: captured payments");
        expect(books.confirmedTotal(), books.spent(), "money: spent as CustomerOrders says");
    }

    /** From the prices of the products, not from what the order says. */
    private BigDecimal costs(Order order) {
        BigDecimal subtotal = order.lineItems().stream()
                .map(line -> price(line.productId()).multiply(BigDecimal.valueOf(line.quantity())))
                .reduce(Books.ZERO, BigDecimal::add);
        return subtotal.add(subtotal.multiply(new BigDecimal("0.10")).setScale(2, RoundingMode.HALF_UP));
    }

    private BigDecimal price(String productId) {
        return books.stock().stream()
                .filter(stock -> stock.productId().equals(productId))
                .map(StockAccount::price)
                .findFirst()
                .orElse(Books.ZERO);
    }

    private List<BigDecimal> charged(String orderId) {
        return chargesByOrder.getOrDefault(orderId, List.of()).stream()
                .map(Charge::amount)
                .toList();
    }

    private @Nullable OrderStatus projected(String id, Order order) {
        CustomerOrders row = books.customers().get(order.customerId());
        CustomerOrders.Entry entry = row == null ? null : row.orders().get(id);
        return entry == null ? null : entry.status();
    }

    private Map<String, Integer> moved(String kind, String orderId) {
        return movesByOrder.getOrDefault(orderId, List.of()).stream()
                .filter(move -> move.kind().equals(kind))
                .collect(groupingBy(StockMove::productId, TreeMap::new, summingInt(StockMove::quantity)));
    }

    private static Map<String, Integer> quantities(Order order) {
        return order.lineItems().stream()
                .collect(groupingBy(OrderLine::productId, TreeMap::new, summingInt(OrderLine::quantity)));
    }

    private void expect(Object expected, @Nullable Object found, String what) {
        if (!Objects.equals(expected, found)) {
            findings.add(what + " should be " + expected + ", but is " + found);
        }
    }
}
