package com.example.orders;

import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

    private final EventSourcingController commands;

    OrderController(EventSourcingController commands) {
        this.commands = commands;
    }

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Placed place(@RequestHeader("Idempotency-Key") String key, @RequestBody PlaceOrder request) {
        Command command = Command.keyed("POST /orders", key);
        String id = command.id().toString();
        commands.execute(command, Order.TYPE, id, order -> order.place(request.product(), request.quantity()));
        return new Placed(id);
    }

    @GetMapping("/orders/{id}")
    Order order(@PathVariable String id) {
        return commands.state(Order.TYPE, id);
    }

    record PlaceOrder(String product, int quantity) {}

    record Placed(String orderId) {}
}
