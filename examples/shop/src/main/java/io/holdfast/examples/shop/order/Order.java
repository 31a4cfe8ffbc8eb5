package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
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
        String reason) {

    public static final String STREAM = "orders";

    private static final Order NONE = new Order("", "", OrderStatus.NONE, List.of(), OrderTotal.ZERO, "");

    public static final AggregateType<Order> TYPE = AggregateType.of(STREAM, Order.class, NONE)
            .on(
                    OrderCreated.class,
                    (order, event) -> new Order(
                            event.orderId(),
                            event.customerId(),
                            OrderStatus.PENDING,
                            event.lineItems(),
                            event.total(),
                            ""))
            .on(OrderConfirmed.class, (order, event) -> order.ended(OrderStatus.CONFIRMED, ""))
            .on(OrderCancelled.class, (order, event) -> order.ended(OrderStatus.CANCELLED, event.reason()))
            .build();

    public Order {
        lineItems = List.copyOf(lineItems);
    }

    List<OrderEvent> create(String id, String customer, List<OrderLine> lines) {
        if (status != OrderStatus.NONE) {
            throw new OrderRefusedException("order " + id + " exists already");
        }
        OrderTotal cost = OrderTotal.of(lines);
        return List.of(new OrderCreated(id, customer, lines, cost.subtotal(), cost.tax(), cost.total()));
    }

    /** Only a pending order can be confirmed; of one that has ended nothing more is said. */
    List<OrderEvent> confirm() {
        return status == OrderStatus.PENDING ? List.of(new OrderConfirmed(orderId, customerId, total)) : List.of();
    }

    List<OrderEvent> cancel(String why) {
        return status == OrderStatus.PENDING ? List.of(new OrderCancelled(orderId, customerId, why)) : List.of();
    }

    private Order ended(OrderStatus end, String why) {
        return new Order(orderId, customerId, end, lineItems, total, why);
    }
}
