package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.Decision;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.examples.shop.web.RequestRejectedException;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaHandle;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Places and cancels orders on behalf of customers. Methods return after the commit. Thread-safe. */
@Component
class OrderCommands {

    private final EventSourcingController commands;
    private final SagaOrchestrator sagas;
    private final SagaStateStore sagaStates;
    private final SagaDefinition<OrderCheckout.Checkout> checkout;
    private final Pricing pricing;
    private final BoundedWait boundedWait;
    private final Clock clock;

    OrderCommands(
            EventSourcingController commands,
            SagaOrchestrator sagas,
            SagaStateStore sagaStates,
            SagaDefinition<OrderCheckout.Checkout> checkout,
            Pricing pricing,
            BoundedWait boundedWait,
            Clock clock) {
        this.commands = commands;
        this.sagas = sagas;
        this.sagaStates = sagaStates;
        this.checkout = checkout;
        this.pricing = pricing;
        this.boundedWait = boundedWait;
        this.clock = clock;
    }

    /**
     * Places an order. Reserving its stock and capturing its payment happen later.
     *
     * @param idempotencyKey identifies the request across retries: the same key returns the same order; null for none
     * @throws RequestRejectedException if the customer or a product is unknown, or the key was used for a different
     *     order; nothing was stored
     */
    Order place(@Nullable String idempotencyKey, PlaceOrder request) {
        Command command = Command.optionallyKeyed("POST /api/orders", idempotencyKey, clock);
        String orderId = command.id().toString();
        if (!command.repeatable() || !commands.state(Order.TYPE, orderId).exists()) {
            create(command, orderId, request);
        }
        return requireSame(request, orderId);
    }

    /** A key that is used again must be used for the same order. */
    private Order requireSame(PlaceOrder request, String orderId) {
        Order order = commands.state(Order.TYPE, orderId);
        if (!request.matches(order)) {
            throw RequestRejectedException.unprocessable("Idempotency-Key was already used for a different order, "
                    + orderId + ". Repeat the original request or use a new key.");
        }
        return order;
    }

    /**
     * Places an order as an orchestrated saga, which reserves its stock, captures its payment and confirms it.
     *
     * @throws RequestRejectedException as {@link #place}
     */
    Checkout checkOut(@Nullable String idempotencyKey, PlaceOrder request) {
        Command command = Command.optionallyKeyed("POST /api/orders/orchestrated", idempotencyKey, clock);
        String orderId = command.id().toString();
        if (command.repeatable() && commands.state(Order.TYPE, orderId).exists()) {
            requireSame(request, orderId);
            return new Checkout(orderId, sagas.find(SagaOrchestrator.idOf(command)));
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        OrderCreated order = Order.create(orderId, request.customerId(), priceLines(request), now);
        SagaHandle saga = sagas.start(checkout, command, OrderCheckout.Checkout.of(order));
        requireSame(request, orderId);
        return new Checkout(orderId, saga);
    }

    /** An order that is fulfilled by an orchestrated saga. */
    record Checkout(String orderId, SagaHandle saga) {}

    /** Cancels an order. Idempotent: the first call takes effect and its reason is kept. */
    Order cancel(String orderId, String reason) {
        commands.execute(
                Command.once(clock).inSaga(sagaType(orderId), OrderFulfillment.sagaId(orderId)),
                cancellation(orderId, reason));
        return find(orderId);
    }

    /** Both kinds of sagas have the same id, derived from the order. */
    private String sagaType(String orderId) {
        return sagaStates
                .find(OrderFulfillment.sagaId(orderId))
                .map(saga -> saga.state().sagaType())
                .orElse(OrderFulfillment.TYPE);
    }

    static Decision cancellation(String orderId, String reason) {
        return decision -> requireExisting(decision.state(Order.TYPE, orderId), orderId)
                .cancel(reason)
                .forEach(event -> decision.append(Order.TYPE, orderId, event));
    }

    Order find(String orderId) {
        return requireExisting(commands.state(Order.TYPE, orderId), orderId);
    }

    private void create(Command command, String orderId, PlaceOrder request) {
        List<OrderLine> lines = priceLines(request);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        commands.execute(
                command.inSaga(OrderFulfillment.TYPE, OrderFulfillment.sagaId(orderId)),
                Order.TYPE,
                orderId,
                none -> List.of(Order.create(orderId, request.customerId(), lines, now)));
    }

    private List<OrderLine> priceLines(PlaceOrder request) {
        Pricing.PricingResult priced =
                boundedWait.pollUntil(() -> pricing.price(request), Pricing.PricingResult::isComplete);
        if (!priced.isComplete()) {
            throw RequestRejectedException.unprocessable(
                    "Unknown " + String.join(", ", priced.unknown()) + ". Check the ids.");
        }
        return priced.lines();
    }

    private static Order requireExisting(Order order, String orderId) {
        if (!order.exists()) {
            throw RequestRejectedException.notFound("Order " + orderId + " does not exist.");
        }
        return order;
    }
}
