package io.holdfast.tck.saga;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.Handler;
import io.holdfast.tck.saga.Trade.Effect;
import io.holdfast.tck.saga.Trade.Order;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The handlers of the three services, whose failures a test scripts by event type, or by event type and order. */
final class TradeHandlers {

    /** A queue that is full would block the processor. */
    private static final int MANY_ORDERS = 20_000;

    private final Map<String, Function<String, RuntimeException>> failing = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private boolean evicting;

    /** Lets the handlers of an event type fail, so that the event is parked. */
    void fail(String eventType) {
        failing.put(eventType, PermanentException::new);
    }

    void fail(String eventType, String order) {
        fail(eventType + "/" + order);
    }

    /** Lets the handlers of an event type fail, so that the event is retried. */
    void failRetryably(String eventType) {
        failing.put(eventType, RetryableException::new);
    }

    void repair() {
        failing.clear();
    }

    /** Lets the policy of all queues evict a letter that fails again. */
    void evictRepeatedFailures() {
        evicting = true;
    }

    private EnqueueDecision decide(DeadLetter letter, Throwable cause) {
        return evicting && letter.cause() != null ? Decisions.evict() : Decisions.enqueue(cause);
    }

    /** Refuses an action for an order, as a business rule does. */
    void refuse(AggregateType<Effect> action, String order) {
        refused.add(action.stream() + "/" + order);
    }

    /** Returns a service with all its handlers. */
    ServiceBlueprint blueprint(String service) {
        return blueprint(service, Set.of());
    }

    /** @param lacking the event types that this version of the service has no handlers for */
    ServiceBlueprint blueprint(String service, Set<String> lacking) {
        return switch (service) {
            case Trade.INVENTORY ->
                new ServiceBlueprint(
                        service, Set.of(Trade.RESERVATIONS), List.of(Trade.ORDERS, Trade.PAYMENTS), stock(lacking));
            case Trade.PAYMENT ->
                new ServiceBlueprint(
                        service, Set.of(Trade.PAYMENTS), List.of(Trade.ORDERS, Trade.RESERVATIONS), charges(lacking));
            default ->
                new ServiceBlueprint(
                        service,
                        Set.of(Trade.ORDERS),
                        List.of(Trade.RESERVATIONS, Trade.PAYMENTS),
                        fulfillment(lacking));
        };
    }

    private Component fulfillment(Set<String> lacking) {
        return version("fulfillment", lacking)
                .on(Trade.PaymentProcessed.class, (event, context) -> {
                    attempt(context);
                    context.decide(
                            Trade.ORDER,
                            context.event().key(),
                            order -> isOpen(order) ? List.of(new Trade.OrderConfirmed(1)) : List.of());
                })
                .on(Trade.StockReservationFailed.class, (event, context) -> cancel(event.reason(), context))
                .on(Trade.PaymentFailed.class, (event, context) -> cancel(event.reason(), context))
                .build();
    }

    private static boolean isOpen(Order order) {
        return order.status().equals(Order.OPEN);
    }

    private void cancel(String reason, EventContext context) {
        attempt(context);
        context.decide(decision -> Trade.cancel(context.event().key(), reason, decision));
    }

    private Component stock(Set<String> lacking) {
        return version("stock", lacking)
                .guardedBy("stock")
                .on(
                        Trade.OrderCreated.class,
                        (event, context) -> act(
                                context,
                                Trade.STOCK,
                                new Trade.StockReserved(1),
                                new Trade.StockReservationFailed("sold out")))
                .on(
                        Trade.OrderCancelled.class,
                        (event, context) -> undo(
                                context,
                                Trade.STOCK,
                                new Trade.StockReleased(1),
                                List.of(new Trade.ReservationWithdrawn(1))))
                .on(
                        Trade.PaymentFailed.class,
                        (event, context) -> undo(context, Trade.STOCK, new Trade.StockReleased(1), List.of()))
                .build();
    }

    private Component charges(Set<String> lacking) {
        return version("charges", lacking)
                .on(
                        Trade.StockReserved.class,
                        (event, context) -> act(
                                context,
                                Trade.CHARGE,
                                new Trade.PaymentProcessed(1),
                                new Trade.PaymentFailed("declined")))
                .on(
                        Trade.OrderCancelled.class,
                        (event, context) -> undo(
                                context,
                                Trade.CHARGE,
                                new Trade.PaymentRefunded(1),
                                List.of(new Trade.PaymentWithdrawn(1))))
                .build();
    }

    /** Its decisions depend on the state alone, so events may be handled again. */
    private Version version(String component, Set<String> lacking) {
        return new Version(
                Component.named(component).resettable().deadLetters(queue -> queue.maxSequences(MANY_ORDERS)
                        .enqueuePolicy(this::decide)),
                lacking);
    }

    /** Acts once, and never after it was undone or withdrawn. */
    private void act(EventContext context, AggregateType<Effect> action, Object done, Object refusal) {
        attempt(context);
        String order = context.event().key();
        Object result = refused.contains(action.stream() + "/" + order) ? refusal : done;
        context.decide(action, order, effect -> effect.equals(Effect.NONE) ? List.of(result) : List.of());
    }

    /** @param withdrawal appended if the action has not been done yet */
    private void undo(EventContext context, AggregateType<Effect> action, Object undone, List<Object> withdrawal) {
        attempt(context);
        context.decide(action, context.event().key(), effect -> {
            if (effect.equals(Effect.DONE)) {
                return List.of(undone);
            }
            return effect.equals(Effect.NONE) ? withdrawal : List.of();
        });
    }

    private void attempt(EventContext context) {
        String type = context.event().type();
        for (String scripted : List.of(type, type + "/" + context.event().key())) {
            if (failing.containsKey(scripted)) {
                throw failing.get(scripted).apply("handler of " + type + " fails, as scripted");
            }
        }
    }

    /** The component of one version, which may lack handlers. */
    private record Version(Component.Builder builder, Set<String> lacking) {

        <E> Version on(Class<E> eventType, Handler<E> handler) {
            if (!lacking.contains(eventType.getSimpleName())) {
                builder.on(eventType, handler);
            }
            return this;
        }

        Version guardedBy(String breaker) {
            builder.guardedBy(breaker);
            return this;
        }

        Component build() {
            return builder.build();
        }
    }
}
