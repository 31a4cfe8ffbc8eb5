package com.example.orders;

import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.spring.EventComponent;

@EventComponent(name = "shipping", reads = "orders")
class Shipping {

    private final Carriers carriers;

    Shipping(Carriers carriers) {
        this.carriers = carriers;
    }

    @EventHandler
    void on(OrderPlaced event, EventContext context) {
        String carrier = carriers.find(event.quantity());
        context.decide(Order.TYPE, context.event().key(), order -> order.ship(carrier));
    }
}
