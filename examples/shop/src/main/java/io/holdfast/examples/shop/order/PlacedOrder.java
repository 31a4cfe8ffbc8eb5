package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import java.math.BigDecimal;

/** The response to a placed order, sent after the commit. */
record PlacedOrder(String orderId, String sagaId, BigDecimal total, OrderStatus status) {

    static PlacedOrder of(Order order) {
        return new PlacedOrder(
                order.orderId(), OrderFulfillment.sagaId(order.orderId()), order.total(), order.status());
    }
}
