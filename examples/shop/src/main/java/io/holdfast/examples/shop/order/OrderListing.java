package io.holdfast.examples.shop.order;

import io.holdfast.handling.Projection;
import io.holdfast.spring.EventComponent;
import io.holdfast.view.View;
import java.util.function.Function;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Projections across orders: all orders, and the orders of each customer. Each order has its own row, so that no row
 * grows with a customer's history. Keys sort newest first. The views are eventually consistent.
 */
@Configuration(proxyBeanMethods = false)
class OrderListing {

    static final View<OrderRow> ALL_ORDERS = new View<>("all-orders", OrderRow.class);
    static final View<OrderRow> CUSTOMER_ORDERS = new View<>("customer-orders", OrderRow.class);

    @Bean
    @EventComponent(name = "all-orders", processor = "order-listing", reads = Order.STREAM, resettable = true)
    Projection<OrderRow> allOrders() {
        return listing(ALL_ORDERS, OrderListing::newestFirstKey);
    }

    @Bean
    @EventComponent(name = "customer-orders", processor = "order-listing", reads = Order.STREAM, resettable = true)
    Projection<OrderRow> customerOrders() {
        return listing(CUSTOMER_ORDERS, event -> keyPrefix(event.customerId()) + newestFirstKey(event));
    }

    /** Returns the key prefix of a customer's rows. It is unambiguous, because ids contain no slash. */
    static String keyPrefix(String customerId) {
        return customerId + "/";
    }

    /** A later time yields a lower key. The order's id distinguishes orders of the same millisecond. */
    private static String newestFirstKey(OrderEvent event) {
        return "%019d/%s".formatted(Long.MAX_VALUE - event.createdAt().toEpochMilli(), event.orderId());
    }

    private static Projection<OrderRow> listing(View<OrderRow> view, Function<OrderEvent, String> key) {
        return Projection.of(view)
                .on(OrderCreated.class, key, (row, event, message) -> OrderRow.of(event, message.occurredAt()))
                .on(
                        OrderConfirmed.class,
                        key,
                        (row, event, message) ->
                                row == null ? null : row.withStatus(OrderStatus.CONFIRMED, "", message.occurredAt()))
                .on(
                        OrderCancelled.class,
                        key,
                        (row, event, message) -> row == null
                                ? null
                                : row.withStatus(OrderStatus.CANCELLED, event.reason(), message.occurredAt()));
    }
}
