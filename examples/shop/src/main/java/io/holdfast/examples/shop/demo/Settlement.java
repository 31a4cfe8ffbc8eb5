package io.holdfast.examples.shop.demo;

import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.examples.shop.inventory.Reservation;
import io.holdfast.examples.shop.order.Order;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Follows the logs and knows which orders and reservations are open. For one thread.
 *
 * <p>It counts events instead of asking the services, so that it sees exactly what is durable.
 */
final class Settlement {

    private static final int PAGE = 1_000;

    private final EventLog orders;
    private final EventLog inventory;
    private final Map<String, Long> read = new HashMap<>();
    private final Set<String> openOrders = new LinkedHashSet<>();
    private final Set<String> openReservations = new LinkedHashSet<>();
    private int created;

    Settlement(EventLog orders, EventLog inventory) {
        this.orders = orders;
        this.inventory = inventory;
    }

    /** Reads what was appended since the last call. */
    void update() {
        follow(orders, Order.STREAM);
        follow(inventory, Reservation.STREAM);
    }

    int ended() {
        return created - openOrders.size();
    }

    /** Whether so many orders were created, and all of them and their reservations have ended. */
    boolean isComplete(int expected) {
        return created >= expected && openOrders.isEmpty() && openReservations.isEmpty();
    }

    Set<String> openOrders() {
        return openOrders;
    }

    Set<String> openReservations() {
        return openReservations;
    }

    private void follow(EventLog log, String stream) {
        var page = log.readStream(stream, read.getOrDefault(stream, 0L), PAGE);
        while (!page.isEmpty()) {
            page.forEach(this::take);
            read.put(stream, page.get(page.size() - 1).position());
            page = log.readStream(stream, read.getOrDefault(stream, 0L), PAGE);
        }
    }

    private void take(EventMessage event) {
        switch (event.type()) {
            case "OrderCreated" -> {
                created++;
                openOrders.add(event.key());
            }
            case "OrderConfirmed", "OrderCancelled" -> openOrders.remove(event.key());
            case "StockReserved" -> openReservations.add(event.key());
            case "StockReleased", "ReservationFulfilled" -> openReservations.remove(event.key());
            default -> {}
        }
    }
}
