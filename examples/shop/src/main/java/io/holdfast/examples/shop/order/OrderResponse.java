package io.holdfast.examples.shop.order;

import io.holdfast.event.EventMessage;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** An order, as the REST API returns it. */
record OrderResponse(
        String orderId,
        String sagaId,
        String customerId,
        OrderStatus status,
        String reason,
        List<OrderLine> lineItems,
        BigDecimal subtotal,
        BigDecimal tax,
        BigDecimal total,
        Instant createdAt,
        Instant updatedAt) {

    /** @param history all events of the order, oldest first */
    static OrderResponse of(Order order, List<EventMessage> history) {
        OrderTotal cost = OrderTotal.of(order.lineItems());
        return new OrderResponse(
                order.orderId(),
                OrderFulfillment.sagaId(order.orderId()),
                order.customerId(),
                order.status(),
                order.reason(),
                order.lineItems(),
                cost.subtotal(),
                cost.tax(),
                cost.total(),
                order.createdAt(),
                history.get(history.size() - 1).occurredAt());
    }
}
