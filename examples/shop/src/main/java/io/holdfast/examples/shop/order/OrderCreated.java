package io.holdfast.examples.shop.order;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

public record OrderCreated(
        String orderId,
        String customerId,
        List<OrderLine> lineItems,
        BigDecimal subtotal,
        BigDecimal tax,
        BigDecimal total,
        Instant createdAt)
        implements OrderEvent {

    public OrderCreated {
        lineItems = List.copyOf(lineItems);
    }
}
