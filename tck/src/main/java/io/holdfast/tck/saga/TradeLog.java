package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.service.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All events of a trade, by order. Checks that none takes effect twice, and that none contradicts another. */
final class TradeLog {

    /** Of each set, an order has one event at most. */
    private static final List<Set<String>> EXCLUSIVE = List.of(
            Set.of("OrderConfirmed", "OrderCancelled"),
            Set.of("StockReserved", "StockReservationFailed", "ReservationWithdrawn"),
            Set.of("PaymentProcessed", "PaymentFailed", "PaymentWithdrawn"));

    /** What ends a saga whose steps were all done. */
    private static final Set<String> ALL_DONE =
            Set.of("OrderCreated", "StockReserved", "PaymentProcessed", "OrderConfirmed");

    private static final List<Set<String>> STOCK_UNDONE = List.of(
            Set.of("StockReserved", "StockReleased"), Set.of("StockReservationFailed"), Set.of("ReservationWithdrawn"));

    private static final List<Set<String>> PAYMENT_UNDONE =
            List.of(Set.of("PaymentProcessed", "PaymentRefunded"), Set.of("PaymentFailed"), Set.of("PaymentWithdrawn"));

    private final Map<String, Long> positions = new HashMap<>();
    private final Map<String, Map<String, EventMessage>> events = new TreeMap<>();

    /** Reads what a service has appended since the last call. */
    void read(String service, Store store) {
        long position = positions.getOrDefault(service, 0L);
        for (EventMessage event : store.eventLog().readAll(position, Integer.MAX_VALUE)) {
            Map<String, EventMessage> ofOrder = events.computeIfAbsent(event.key(), unknown -> new TreeMap<>());
            EventMessage earlier = ofOrder.putIfAbsent(event.type(), event);
            assertThat(earlier)
                    .as("%s of order %s is appended twice", event.type(), event.key())
                    .isNull();
            checkContradictions(event.key());
            positions.put(service, event.position());
        }
    }

    private void checkContradictions(String order) {
        for (Set<String> exclusive : EXCLUSIVE) {
            List<String> contradicting =
                    types(order).stream().filter(exclusive::contains).toList();
            assertThat(contradicting)
                    .as("contradicting events of order %s", order)
                    .hasSizeLessThan(2);
        }
    }

    Collection<String> orders() {
        return events.keySet();
    }

    Optional<EventMessage> find(String order, String eventType) {
        return Optional.ofNullable(events.getOrDefault(order, Map.of()).get(eventType));
    }

    Collection<EventMessage> events(String order) {
        return events.getOrDefault(order, Map.of()).values();
    }

    Set<String> types(String order) {
        return events.getOrDefault(order, Map.of()).keySet();
    }

    /** Checks that all steps of an order are done, and none is undone. */
    void checkAllDone(String order) {
        assertThat(types(order))
                .as("events of the completed order %s", order)
                .containsExactlyInAnyOrderElementsOf(ALL_DONE);
    }

    /** Checks that every step of an order that was done is undone. */
    void checkAllUndone(String order) {
        Set<String> rest = new TreeSet<>(types(order));
        assertThat(rest).as("events of the compensated order %s", order).contains("OrderCreated", "OrderCancelled");
        for (List<Set<String>> answers : List.of(STOCK_UNDONE, PAYMENT_UNDONE)) {
            List<String> all = new ArrayList<>();
            answers.forEach(all::addAll);
            Set<String> found = new TreeSet<>(rest);
            found.retainAll(all);
            assertThat(answers)
                    .as("events of the compensated order %s: %s", order, rest)
                    .contains(found);
        }
    }
}
