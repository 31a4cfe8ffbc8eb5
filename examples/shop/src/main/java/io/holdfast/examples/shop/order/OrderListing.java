package io.holdfast.examples.shop.order;

import io.holdfast.processing.Projection;
import io.holdfast.spring.EventComponent;
import io.holdfast.view.View;
import java.util.function.Function;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Projections across orders: all of them, and those of each customer. One row per order, so that no row grows with a
 * customer's history; the keys begin with what is newest. They follow the log by a moment.
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

    /** What the keys of a customer's rows begin with; ids have no slash. */
    static String keyPrefix(String customerId) {
        return customerId + "/";
    }

    /** A later time gives a lower key; the order's id tells apart what came in one millisecond. */
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
