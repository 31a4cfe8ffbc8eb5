package io.holdfast.tck.saga;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.tck.saga.Trade.Effect;
import io.holdfast.tck.saga.Trade.Order;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The handlers of the three services, whose failures a test scripts by event type, or by event type and order. */
final class TradeHandlers {

    /** A queue that is full would block the processor. */
    private static final int MANY_ORDERS = 20_000;

    private final Set<String> failing = new HashSet<>();
    private final Set<String> refused = new HashSet<>();

    /** Lets the handlers of an event type fail, so that the event is parked. */
    void fail(String eventType) {
        failing.add(eventType);
    }

    void fail(String eventType, String order) {
        failing.add(eventType + "/" + order);
    }

    void repair() {
        failing.clear();
    }

    /** Refuses an action for an order, as a business rule does. */
    void refuse(AggregateType<Effect> action, String order) {
        refused.add(action.stream() + "/" + order);
    }

    Component fulfillment() {
        return Component.named("fulfillment")
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

    Component stock() {
        return Component.named("stock")
                .guardedBy("stock")
                .deadLetters(queue -> queue.maxSequences(MANY_ORDERS))
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

    Component charges() {
        return Component.named("charges")
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
        if (failing.contains(type)
                || failing.contains(type + "/" + context.event().key())) {
            throw new PermanentException("handler of " + type + " fails, as scripted");
        }
    }
}
