package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.Decision;
import io.holdfast.event.Metadata;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.handling.Component;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** Components and decisions of this service, for tests in other packages. */
public final class OrderFixtures {

    private OrderFixtures() {}

    public static List<Component> components() {
        return List.of(confirmation(), cancellation());
    }

    static Component confirmation() {
        return Component.of("order-confirmation", new OrderConfirmation()).build();
    }

    static Component cancellation() {
        return Component.of("order-cancellation", new OrderCancellation()).build();
    }

    public static Decision placeOrder(String orderId, String productId, int quantity, String price) {
        List<OrderLine> lines = List.of(new OrderLine(productId, quantity, new BigDecimal(price)));
        return Decision.over(Order.TYPE, orderId, none -> List.of(Order.create(orderId, "c-1", lines, Instant.EPOCH)));
    }

    public static Decision cancelOrder(String orderId, String reason) {
        return OrderCommands.cancellation(orderId, reason);
    }

    public static Metadata sagaMetadata(String orderId) {
        return Metadata.none().withSaga(OrderFulfillment.TYPE, OrderFulfillment.sagaId(orderId));
    }
}
