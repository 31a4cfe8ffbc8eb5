package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * The state of an order and its decisions. Each decision is a pure function from the state to new events.
 *
 * @param reason why the order was cancelled, or empty
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

    /** Needs no prior state, because each id is assigned once. */
    static OrderCreated create(String id, String customer, List<OrderLine> lines, Instant now) {
        OrderTotal cost = OrderTotal.of(lines);
        return new OrderCreated(id, customer, lines, cost.subtotal(), cost.tax(), cost.total(), now);
    }

    /** Confirms a pending order. Has no effect on a confirmed or cancelled one. */
    List<OrderEvent> confirm() {
        return status == OrderStatus.PENDING
                ? List.of(new OrderConfirmed(orderId, customerId, total, createdAt))
                : List.of();
    }

    /**
     * Cancels a pending order after its reservation or payment failed. Has no effect on a confirmed or cancelled one.
     */
    List<OrderEvent> fail(String cause) {
        return status == OrderStatus.PENDING ? cancel(cause) : List.of();
    }

    /** Cancels the order on behalf of the customer, also if it is confirmed. Has no effect on a cancelled one. */
    List<OrderEvent> cancel(String cause) {
        return status == OrderStatus.PENDING || status == OrderStatus.CONFIRMED
                ? List.of(new OrderCancelled(orderId, customerId, cause, createdAt))
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

    private Order withStatus(OrderStatus next, String cause) {
        return new Order(orderId, customerId, next, lineItems, total, cause, createdAt);
    }
}
