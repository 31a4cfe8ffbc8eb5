package io.holdfast.examples.shop.order;

import io.holdfast.processing.Component;
import io.holdfast.view.View;
import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A projection across orders: all orders of one customer. It follows the log by a moment.
 *
 * @param orders by order id
 */
public record CustomerOrders(Map<String, Entry> orders) {

    public static final View<CustomerOrders> VIEW = new View<>("customer-orders", CustomerOrders.class);

    static final CustomerOrders NONE = new CustomerOrders(Map.of());

    public CustomerOrders {
        orders = Map.copyOf(orders);
    }

    static Component component() {
        return Component.named("customer-orders")
                .on(
                        OrderCreated.class,
                        (event, context) -> context.update(
                                VIEW,
                                event.customerId(),
                                row -> with(row, event.orderId(), OrderStatus.PENDING, event.total())))
                .on(
                        OrderConfirmed.class,
                        (event, context) -> context.update(
                                VIEW,
                                event.customerId(),
                                row -> with(row, event.orderId(), OrderStatus.CONFIRMED, event.total())))
                .on(
                        OrderCancelled.class,
                        (event, context) -> context.update(
                                VIEW,
                                event.customerId(),
                                row -> with(row, event.orderId(), OrderStatus.CANCELLED, OrderTotal.ZERO)))
                .build();
    }

    /** What the customer paid for. */
    public BigDecimal spent() {
        return orders.values().stream()
                .filter(order -> order.status() == OrderStatus.CONFIRMED)
                .map(Entry::amount)
                .reduce(OrderTotal.ZERO, BigDecimal::add);
    }

    private static CustomerOrders with(
            @Nullable CustomerOrders row, String orderId, OrderStatus status, BigDecimal amount) {
        SortedMap<String, Entry> changed = new TreeMap<>((row == null ? NONE : row).orders());
        changed.put(orderId, new Entry(status, amount));
        return new CustomerOrders(changed);
    }

    /** @param amount what the customer owes or has paid for it */
    public record Entry(OrderStatus status, BigDecimal amount) {}
}
