package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * An order: its state, and what may happen to it next. Each decision is a pure function from the state to the events
 * that happen.
 *
 * @param reason why it was cancelled, or empty
 */
public record Order(
        String orderId,
        String customerId,
        OrderStatus status,
        List<OrderLine> lineItems,
        BigDecimal total,
        String reason,
        Instant createdAt) {

    public static final String STREAM = "orders";

    private static final Order NONE =
            new Order("", "", OrderStatus.NONE, List.of(), OrderTotal.ZERO, "", Instant.EPOCH);

    public static final AggregateType<Order> TYPE = AggregateType.of(STREAM, Order.class, NONE)
            .on(OrderCreated.class, (order, event) -> of(event))
            .on(OrderConfirmed.class, (order, event) -> order.withStatus(OrderStatus.CONFIRMED, ""))
            .on(OrderCancelled.class, (order, event) -> order.withStatus(OrderStatus.CANCELLED, event.reason()))
            .build();

    public Order {
        lineItems = List.copyOf(lineItems);
    }

    boolean exists() {
        return status != OrderStatus.NONE;
    }

    /** An id is given once, so there is nothing to look at. */
    static OrderCreated create(String id, String customer, List<OrderLine> lines, Instant now) {
        OrderTotal cost = OrderTotal.of(lines);
        return new OrderCreated(id, customer, lines, cost.subtotal(), cost.tax(), cost.total(), now);
    }

    /** Only a pending order can be confirmed; of one that has ended nothing more is said. */
    List<OrderEvent> confirm() {
        return status == OrderStatus.PENDING
                ? List.of(new OrderConfirmed(orderId, customerId, total, createdAt))
                : List.of();
    }

    /** Stock or payment say that it cannot be; only a pending order is waiting for that. */
    List<OrderEvent> fail(String why) {
        return status == OrderStatus.PENDING ? cancel(why) : List.of();
    }

    /** The customer does not want it any more; also after it was confirmed. */
    List<OrderEvent> cancel(String why) {
        return status == OrderStatus.PENDING || status == OrderStatus.CONFIRMED
                ? List.of(new OrderCancelled(orderId, customerId, why, createdAt))
                : List.of();
    }

    private static Order of(OrderCreated event) {
        return new Order(
                event.orderId(),
                event.customerId(),
                OrderStatus.PENDING,
                event.lineItems(),
                event.total(),
                "",
                event.createdAt());
    }

    private Order withStatus(OrderStatus next, String why) {
        return new Order(orderId, customerId, next, lineItems, total, why, createdAt);
    }
}
