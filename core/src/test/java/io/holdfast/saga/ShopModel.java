package io.holdfast.saga;

import static io.holdfast.saga.ShopModel.Stream.ORDERS;
import static io.holdfast.saga.ShopModel.Stream.PAYMENTS;
import static io.holdfast.saga.ShopModel.Stream.RESERVATIONS;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The shop's choreography and its tracker as one pure state machine. The participants follow the rules of the example
 * shop. Each reader of a stream has its own position, so a state has one successor per reader, and delays such as a
 * parked event that is replayed late are just orders of successors.
 *
 * @param world what the environment decides
 * @param streams the events of each stream, in order
 * @param positions how many events each reader has handled
 * @param stock the units on hand that are not reserved
 * @param saga the tracker's row, or null before the first event
 */
record ShopModel(
        World world,
        Map<Stream, List<String>> streams,
        Map<Reader, Integer> positions,
        int stock,
        @Nullable SagaState saga) {

    /** What the environment decides. */
    record World(boolean inStock, boolean solvent, boolean autoCompensate, boolean mayTimeOut, boolean mayCancel) {}

    enum Stream {
        ORDERS,
        RESERVATIONS,
        PAYMENTS
    }

    /** A component and a stream that it reads. Events of a stream are handled in order, streams independently. */
    enum Reader {
        RESERVE(ORDERS),
        RELEASE_CANCELLED(ORDERS),
        RELEASE_UNPAID(PAYMENTS),
        CHARGE(RESERVATIONS),
        REFUND(ORDERS),
        CONFIRM(PAYMENTS),
        CANCEL_UNRESERVED(RESERVATIONS),
        CANCEL_UNPAID(PAYMENTS),
        TRACK_RESERVATIONS(RESERVATIONS),
        TRACK_PAYMENTS(PAYMENTS);

        private final Stream stream;

        Reader(Stream stream) {
            this.stream = stream;
        }
    }

    /** Returns the state after the customer has placed an order. */
    static ShopModel start(World world) {
        Map<Stream, List<String>> streams = new EnumMap<>(Stream.class);
        Map<Reader, Integer> positions = new EnumMap<>(Reader.class);
        for (Stream stream : Stream.values()) {
            streams.put(stream, List.of());
        }
        for (Reader reader : Reader.values()) {
            positions.put(reader, 0);
        }
        return new ShopModel(world, streams, positions, world.inStock() ? 1 : 0, null).append(ORDERS, "OrderCreated");
    }

    /** Returns every state that can follow, by what happens. */
    Map<String, ShopModel> successors() {
        Map<String, ShopModel> next = new LinkedHashMap<>();
        for (Reader reader : Reader.values()) {
            int position = positions.get(reader);
            List<String> events = streams.get(reader.stream);
            if (position < events.size()) {
                String event = events.get(position);
                next.put(reader + " handles " + event, moved(reader).handle(reader, event));
            }
        }
        if (world.mayCancel() && !has("OrderCancelled")) {
            next.put("customer cancels", append(ORDERS, "OrderCancelled"));
        }
        judged().ifPresent(judged -> next.put("deadline judged", judged));
        compensatedByOperator().ifPresent(requested -> next.put("operator compensates", requested));
        return next;
    }

    boolean has(String event) {
        return streams.values().stream().anyMatch(events -> events.contains(event));
    }

    long count(String event) {
        return streams.values().stream()
                .flatMap(List::stream)
                .filter(event::equals)
                .count();
    }

    private boolean isPending() {
        return !has("OrderConfirmed") && !has("OrderCancelled");
    }

    private ShopModel handle(Reader reader, String event) {
        return switch (reader) {
            case RESERVE -> event.equals("OrderCreated") ? reserve() : this;
            case RELEASE_CANCELLED -> event.equals("OrderCancelled") ? release() : this;
            case RELEASE_UNPAID -> event.equals("PaymentFailed") ? release() : this;
            case CHARGE -> event.equals("StockReserved") ? charge() : this;
            case REFUND -> event.equals("OrderCancelled") ? refund() : this;
            case CONFIRM -> event.equals("PaymentProcessed") && isPending() ? append(ORDERS, "OrderConfirmed") : this;
            case CANCEL_UNRESERVED -> event.equals("StockReservationFailed") ? cancel() : this;
            case CANCEL_UNPAID -> event.equals("PaymentFailed") ? cancel() : this;
            case TRACK_RESERVATIONS, TRACK_PAYMENTS -> track(event);
        };
    }

    private ShopModel reserve() {
        if (!streams.get(RESERVATIONS).isEmpty()) {
            return this;
        }
        return stock > 0
                ? withStock(stock - 1).append(RESERVATIONS, "StockReserved")
                : append(RESERVATIONS, "StockReservationFailed");
    }

    private ShopModel release() {
        List<String> reservation = streams.get(RESERVATIONS);
        if (reservation.isEmpty()) {
            return append(RESERVATIONS, "ReservationWithdrawn");
        }
        return reservation.equals(List.of("StockReserved"))
                ? withStock(stock + 1).append(RESERVATIONS, "StockReleased")
                : this;
    }

    private ShopModel charge() {
        if (!streams.get(PAYMENTS).isEmpty()) {
            return this;
        }
        return append(PAYMENTS, world.solvent() ? "PaymentProcessed" : "PaymentFailed");
    }

    private ShopModel refund() {
        List<String> payment = streams.get(PAYMENTS);
        if (payment.isEmpty()) {
            return append(PAYMENTS, "PaymentWithdrawn");
        }
        return payment.equals(List.of("PaymentProcessed")) ? append(PAYMENTS, "PaymentRefunded") : this;
    }

    private ShopModel cancel() {
        return isPending() ? append(ORDERS, "OrderCancelled") : this;
    }

    /** The detector judges an open saga at any moment, which includes the moment after its deadline. */
    private Optional<ShopModel> judged() {
        if (!world.mayTimeOut() || saga == null || !saga.status().isOpen()) {
            return Optional.empty();
        }
        if (!world.autoCompensate()) {
            return Optional.of(withSaga(saga.timedOut(OrderFulfillment.START)));
        }
        return isPending()
                ? Optional.of(withSaga(saga.timedOut(OrderFulfillment.START)).cancel())
                : Optional.empty(); // the local compensation appends nothing
    }

    private Optional<ShopModel> compensatedByOperator() {
        boolean applies = saga != null && saga.status() == SagaStatus.TIMED_OUT && isPending();
        return applies
                ? Optional.of(withSaga(saga.cancelRequested(OrderFulfillment.START, "operator"))
                        .cancel())
                : Optional.empty();
    }

    private ShopModel track(String event) {
        return withSaga(OrderFulfillment.record(saga, event));
    }

    /** Events of the tracker's own stream are recorded in the unit that appends them. */
    private ShopModel append(Stream stream, String event) {
        Map<Stream, List<String>> changed = new EnumMap<>(streams);
        List<String> events = new ArrayList<>(streams.get(stream));
        events.add(event);
        changed.put(stream, List.copyOf(events));
        ShopModel appended = new ShopModel(world, changed, positions, stock, saga);
        return stream == ORDERS ? appended.track(event) : appended;
    }

    private ShopModel moved(Reader reader) {
        Map<Reader, Integer> changed = new EnumMap<>(positions);
        changed.merge(reader, 1, Integer::sum);
        return new ShopModel(world, streams, changed, stock, saga);
    }

    private ShopModel withStock(int changed) {
        return new ShopModel(world, streams, positions, changed, saga);
    }

    private ShopModel withSaga(SagaState changed) {
        return new ShopModel(world, streams, positions, stock, changed);
    }
}
