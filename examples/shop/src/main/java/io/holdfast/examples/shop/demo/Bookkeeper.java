package io.holdfast.examples.shop.demo;

import io.holdfast.aggregate.AggregateState;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.event.PayloadCodec;
import io.holdfast.examples.shop.inventory.Product;
import io.holdfast.examples.shop.inventory.ProductCreated;
import io.holdfast.examples.shop.inventory.Reservation;
import io.holdfast.examples.shop.inventory.StockAllocated;
import io.holdfast.examples.shop.inventory.StockFreed;
import io.holdfast.examples.shop.inventory.StockMovement;
import io.holdfast.examples.shop.inventory.StockSold;
import io.holdfast.examples.shop.order.CustomerOrders;
import io.holdfast.examples.shop.order.Order;
import io.holdfast.examples.shop.payment.Payment;
import io.holdfast.examples.shop.payment.PaymentProcessed;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Writes up the books from the logs alone: every event is read, nothing is taken from a cache. */
final class Bookkeeper {

    private static final int ALL = Integer.MAX_VALUE;

    private final EventLog orders;
    private final EventLog inventory;
    private final EventLog payments;
    private final ViewRows views;
    private final PayloadCodec codec = new PayloadCodec();

    /** @param views of the order service */
    Bookkeeper(EventLog orders, EventLog inventory, EventLog payments, ViewRows views) {
        this.orders = orders;
        this.inventory = inventory;
        this.payments = payments;
        this.views = views;
    }

    static Bookkeeper of(Shop shop) {
        return new Bookkeeper(
                shop.orders().engine().eventLog(),
                shop.inventory().engine().eventLog(),
                shop.payments().engine().eventLog(),
                shop.orders().engine().views());
    }

    Books write() {
        List<StockMove> moves = moves();
        return new Books(
                newest(Order.TYPE, orders),
                stock(moves),
                moves,
                newest(Reservation.TYPE, inventory),
                charges(),
                views.page(CustomerOrders.VIEW, "", ALL),
                orders.position() + inventory.position() + payments.position(),
                gaps());
    }

    private List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        gaps.addAll(Histories.gaps("order", orders.readAll(0, ALL)));
        gaps.addAll(Histories.gaps("inventory", inventory.readAll(0, ALL)));
        gaps.addAll(Histories.gaps("payment", payments.readAll(0, ALL)));
        return gaps;
    }

    private List<StockMove> moves() {
        return Stream.of(StockAllocated.class, StockFreed.class, StockSold.class)
                .flatMap(type -> events(inventory, Product.STREAM, type).map(event -> move(event, type)))
                .toList();
    }

    private StockMove move(EventMessage event, Class<? extends StockMovement> type) {
        StockMovement movement = codec.decode(event.payload(), type);
        return new StockMove(event.type(), movement.orderId(), event.key(), movement.quantity());
    }

    private List<StockAccount> stock(List<StockMove> moves) {
        return versions(Product.TYPE, inventory).entrySet().stream()
                .map(entry -> account(entry.getKey(), entry.getValue(), moves))
                .toList();
    }

    private StockAccount account(String productId, List<Product> versions, List<StockMove> moves) {
        Product last = versions.get(versions.size() - 1);
        int atStart = events(inventory, Product.STREAM, ProductCreated.class)
                .filter(event -> event.key().equals(productId))
                .mapToInt(event ->
                        codec.decode(event.payload(), ProductCreated.class).quantityOnHand())
                .sum();
        int sold = moves.stream()
                .filter(move ->
                        move.productId().equals(productId) && move.kind().equals(EventType.Of.name(StockSold.class)))
                .mapToInt(StockMove::quantity)
                .sum();
        int lowest =
                versions.stream().mapToInt(Product::availableQuantity).min().orElse(0);
        return new StockAccount(
                productId, last.price(), atStart, sold, last.quantityOnHand(), last.quantityReserved(), lowest);
    }

    private List<Charge> charges() {
        return events(payments, Payment.STREAM, PaymentProcessed.class)
                .map(event -> codec.decode(event.payload(), PaymentProcessed.class))
                .map(payment -> new Charge(payment.orderId(), payment.amount()))
                .toList();
    }

    private <S> Map<String, S> newest(AggregateType<S> type, EventLog log) {
        Map<String, S> newest = new TreeMap<>();
        versions(type, log).forEach((key, versions) -> newest.put(key, versions.get(versions.size() - 1)));
        return newest;
    }

    /** The state of every key after each of its events. */
    private <S> Map<String, List<S>> versions(AggregateType<S> type, EventLog log) {
        Map<String, AggregateState<S>> states = new LinkedHashMap<>();
        Map<String, List<S>> versions = new TreeMap<>();
        for (EventMessage event : log.readStream(type.stream(), 0, ALL)) {
            AggregateState<S> next = states.getOrDefault(event.key(), AggregateState.initial(type, event.key()))
                    .evolve(event.payload(), codec);
            states.put(event.key(), next);
            versions.computeIfAbsent(event.key(), unknown -> new ArrayList<>()).add(next.state());
        }
        return versions;
    }

    private static Stream<EventMessage> events(EventLog log, String stream, Class<?> type) {
        return log.readStream(stream, 0, ALL).stream()
                .filter(event -> event.type().equals(EventType.Of.name(type)));
    }
}
