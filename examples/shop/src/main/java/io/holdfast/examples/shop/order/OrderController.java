package io.holdfast.examples.shop.order;

import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.web.HistoryEntry;
import io.holdfast.examples.shop.web.Id;
import io.holdfast.examples.shop.web.ShortText;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The REST API for orders. */
@RestController
@RequestMapping("/api/orders")
class OrderController {

    /** An order has at most three events: created, confirmed, cancelled. */
    private static final int MAX_HISTORY = 3;

    private final OrderCommands orders;
    private final OrderSearch search;
    private final EventSourcingController commands;

    OrderController(OrderCommands orders, OrderSearch search, EventSourcingController commands) {
        this.orders = orders;
        this.search = search;
        this.commands = commands;
    }

    @PostMapping
    ResponseEntity<PlacedOrder> place(
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable @ShortText String idempotencyKey,
            @Valid @RequestBody PlaceOrder request) {
        PlacedOrder placed = PlacedOrder.of(orders.place(idempotencyKey, request));
        return ResponseEntity.created(URI.create("/api/orders/" + placed.orderId()))
                .body(placed);
    }

    @GetMapping("/{id}")
    OrderResponse find(@Id @PathVariable String id) {
        return toResponse(orders.find(id));
    }

    /** Newest first, eventually consistent. A search by status covers the newest 10,000 orders. */
    @GetMapping
    List<OrderRow> list(
            @RequestParam(required = false) OrderSearch.@Nullable Status status,
            @RequestParam(required = false) @Nullable @Id String customerId,
            @RequestParam(defaultValue = "20") @Min(1) @Max(200) int limit) {
        return customerId == null ? search.findAll(status, limit) : search.findByCustomer(customerId, status, limit);
    }

    /** Newest first, eventually consistent. */
    @GetMapping("/customer/{customerId}")
    List<OrderRow> listByCustomer(
            @Id @PathVariable String customerId, @RequestParam(defaultValue = "20") @Min(1) @Max(200) int limit) {
        return search.findByCustomer(customerId, null, limit);
    }

    @PatchMapping("/{id}/cancel")
    OrderResponse cancel(@Id @PathVariable String id, @Valid @RequestBody CancelOrder request) {
        return toResponse(orders.cancel(id, request.reason()));
    }

    @GetMapping("/{id}/events")
    List<HistoryEntry> history(
            @Id @PathVariable String id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(HistoryEntry.MAX_LIMIT) int limit) {
        orders.find(id);
        return HistoryEntry.of(commands.history(Order.TYPE, id, after, limit));
    }

    private OrderResponse toResponse(Order order) {
        return OrderResponse.of(order, commands.history(Order.TYPE, order.orderId(), 0, MAX_HISTORY));
    }
}
