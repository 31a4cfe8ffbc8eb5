package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.Decision;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.web.RequestRejectedException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Takes and cancels orders on behalf of customers, and answers when it is durable. For any number of threads. */
@Component
class OrderCommands {

    private final EventSourcingController commands;
    private final Pricing pricing;
    private final BoundedWait boundedWait;
    private final Clock clock;

    OrderCommands(EventSourcingController commands, Pricing pricing, BoundedWait patience, Clock clock) {
        this.commands = commands;
        this.pricing = pricing;
        this.boundedWait = patience;
        this.clock = clock;
    }

    /**
     * Whether the order can be delivered and paid shows later.
     *
     * @param idempotencyKey names the request: sent again with the same key, it is the same order; null for none
     * @throws RequestRejectedException if a customer or product is unknown, or the key was used for another order; nothing was stored
     */
    Order place(@Nullable String idempotencyKey, PlaceOrder request) {
        Command command = Command.optionallyKeyed("POST /api/orders", idempotencyKey, clock);
        String orderId = command.id().toString();
        if (!command.repeatable() || !commands.state(Order.TYPE, orderId).exists()) {
            create(command, orderId, request);
        }
        Order order = commands.state(Order.TYPE, orderId);
        if (!request.matches(order)) {
            throw RequestRejectedException.unprocessable("Idempotency-Key was used for another order, " + orderId
                    + "; send the same order again, or use a new key");
        }
        return order;
    }

    /** As often as it is asked for; the first time counts. */
    Order cancel(String orderId, String reason) {
        commands.execute(
                Command.once(clock).with(FulfillmentStep.sagaMetadata(orderId)), cancellation(orderId, reason));
        return find(orderId);
    }

    static Decision cancellation(String orderId, String reason) {
        return decision -> requireExisting(decision.state(Order.TYPE, orderId), orderId)
                .cancel(reason)
                .forEach(event -> decision.append(Order.TYPE, orderId, event, FulfillmentStep.CANCELLATION));
    }

    Order find(String orderId) {
        return requireExisting(commands.state(Order.TYPE, orderId), orderId);
    }

    private void create(Command command, String orderId, PlaceOrder request) {
        List<OrderLine> lines = priceLines(request);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        commands.execute(
                command.with(FulfillmentStep.sagaMetadata(orderId).withDefaults(FulfillmentStep.CREATION)),
                Order.TYPE,
                orderId,
                none -> List.of(Order.create(orderId, request.customerId(), lines, now)));
    }

    private List<OrderLine> priceLines(PlaceOrder request) {
        Pricing.PricingResult priced =
                boundedWait.pollUntil(() -> pricing.price(request), Pricing.PricingResult::isComplete);
        if (!priced.isComplete()) {
            throw RequestRejectedException.unprocessable("there is no " + String.join(", no ", priced.unknown()));
        }
        return priced.lines();
    }

    private static Order requireExisting(Order order, String orderId) {
        if (!order.exists()) {
            throw RequestRejectedException.notFound("there is no order " + orderId);
        }
        return order;
    }
}
