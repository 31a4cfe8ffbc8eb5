package io.holdfast.examples.shop;

import io.holdfast.event.EventMessage;
import io.holdfast.examples.shop.inventory.InventoryFixtures;
import io.holdfast.examples.shop.order.OrderFixtures;
import io.holdfast.examples.shop.payment.PaymentFixtures;
import io.holdfast.handling.Component;
import io.holdfast.tck.harness.SinglePart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Order, inventory and payment, connected only by their events. Each component receives the events of one aggregate in
 * order. Apart from that, any delivery can be the next one.
 */
final class SimulatedShop {

    final SimulatedService order = new SimulatedService("order", OrderFixtures.components());
    final SimulatedService inventory = new SimulatedService("inventory", InventoryFixtures.components());
    final SimulatedService payment = new SimulatedService("payment", PaymentFixtures.components());

    private final Map<String, Integer> delivered = new LinkedHashMap<>();
    private final List<Delivery> parked = new ArrayList<>();

    /** Returns the next delivery of each aggregate to each component. */
    List<Delivery> possibleDeliveries() {
        List<Delivery> possible = new ArrayList<>();
        Map<String, List<EventMessage>> sequences = sequences();
        for (SimulatedService service : List.of(order, inventory, payment)) {
            for (Component component : service.components()) {
                sequences.forEach((sequence, events) ->
                        nextDelivery(service, component, sequence, events).ifPresent(possible::add));
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

    /** Replays all parked deliveries. */
    void replay() {
        List<Delivery> letters = List.copyOf(parked);
        parked.clear();
        letters.stream()
                .filter(delivery -> !delivery.service().commit(delivery.part()))
                .forEach(parked::add);
    }

    /** Returns the number of events of this type, in all services. */
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

    /** Skips events that the component has no handler for. */
    private Optional<Delivery> nextDelivery(
            SimulatedService service, Component component, String sequence, List<EventMessage> events) {
        String channel = component.name() + " of " + sequence;
        while (delivered.getOrDefault(channel, 0) < events.size()) {
            Optional<SinglePart> part = service.handle(events.get(delivered.getOrDefault(channel, 0)), component);
            if (part.isPresent()) {
                return Optional.of(new Delivery(channel, part.get(), service));
            }
            delivered.merge(channel, 1, Integer::sum);
        }
        return Optional.empty();
    }

    /** The next event of an aggregate for a component. */
    record Delivery(String channel, SinglePart part, SimulatedService service) {}
}
