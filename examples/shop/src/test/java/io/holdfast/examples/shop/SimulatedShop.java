package io.holdfast.examples.shop;

import io.holdfast.commit.Part;
import io.holdfast.event.EventMessage;
import io.holdfast.examples.shop.inventory.InventoryFixtures;
import io.holdfast.examples.shop.order.OrderFixtures;
import io.holdfast.examples.shop.payment.PaymentFixtures;
import io.holdfast.processing.Component;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Order, inventory and payment, joined by nothing but what they say. Each component hears the events of one aggregate in their
 * order; apart from that, any delivery may be the next one.
 */
final class SimulatedShop {

    final SimulatedService order = new SimulatedService("order", OrderFixtures.components());
    final SimulatedService inventory = new SimulatedService("inventory", InventoryFixtures.components());
    final SimulatedService payment = new SimulatedService("payment", PaymentFixtures.components());

    private final Map<String, Integer> delivered = new LinkedHashMap<>();
    private final List<Delivery> parked = new ArrayList<>();

    /** What each component can hear next of each aggregate. */
    List<Delivery> possibleDeliveries() {
        List<Delivery> possible = new ArrayList<>();
        Map<String, List<EventMessage>> sequences = sequences();
        for (SimulatedService listener : List.of(order, inventory, payment)) {
            for (Component component : listener.components()) {
                sequences.forEach((sequence, events) ->
                        nextDelivery(listener, component, sequence, events).ifPresent(possible::add));
            }
        }
        return possible;
    }

    void deliver(Delivery delivery) {
        delivered.merge(delivery.channel(), 1, Integer::sum);
        if (!delivery.service().commit(delivery.part())) {
            parked.add(delivery);
        }
    }

    boolean hasParked() {
        return !parked.isEmpty();
    }

    /** Handles again what was parked. */
    void replay() {
        List<Delivery> again = List.copyOf(parked);
        parked.clear();
        again.stream()
                .filter(delivery -> !delivery.service().commit(delivery.part()))
                .forEach(parked::add);
    }

    /** How often this was said, by whomever. */
    long countEvents(String eventType) {
        return events().filter(event -> event.type().equals(eventType)).count();
    }

    Stream<EventMessage> events() {
        return Stream.of(order, inventory, payment).flatMap(service -> service.events().stream());
    }

    private Map<String, List<EventMessage>> sequences() {
        Map<String, List<EventMessage>> sequences = new LinkedHashMap<>();
        events().forEach(event -> sequences
                .computeIfAbsent(event.stream() + "/" + event.key(), key -> new ArrayList<>())
                .add(event));
        return sequences;
    }

    /** What nobody listens to is over at once. */
    private Optional<Delivery> nextDelivery(
            SimulatedService listener, Component component, String sequence, List<EventMessage> events) {
        String place = component.name() + " of " + sequence;
        while (delivered.getOrDefault(place, 0) < events.size()) {
            Optional<Part> part = listener.handle(events.get(delivered.getOrDefault(place, 0)), component);
            if (part.isPresent()) {
                return Optional.of(new Delivery(place, part.get(), listener));
            }
            delivered.merge(place, 1, Integer::sum);
        }
        return Optional.empty();
    }

    /** An event of an aggregate that a component hears next. */
    record Delivery(String channel, Part part, SimulatedService service) {}
}
