package com.example.orders;

import io.holdfast.aggregate.AggregateType;
import java.util.List;

record Order(String product, int quantity, String status) {

    static final AggregateType<Order> TYPE = AggregateType.of("orders", Order.class, new Order("", 0, "NONE"))
            .on(OrderPlaced.class, (order, event) -> new Order(event.product(), event.quantity(), "PLACED"))
            .on(OrderShipped.class, (order, event) -> new Order(order.product(), order.quantity(), "SHIPPED"))
            .build();

    List<OrderPlaced> place(String newProduct, int newQuantity) {
        return List.of(new OrderPlaced(newProduct, newQuantity));
    }

    /** Idempotent: only the first call ships the order. */
    List<OrderShipped> ship(String carrier) {
        return status.equals("PLACED") ? List.of(new OrderShipped(carrier)) : List.of();
    }
}
