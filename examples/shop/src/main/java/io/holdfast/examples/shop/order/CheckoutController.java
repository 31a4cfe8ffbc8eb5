package io.holdfast.examples.shop.order;

import io.holdfast.examples.shop.web.ShortText;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.orchestration.SagaHandle;
import jakarta.validation.Valid;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Places orders by orchestration. The response waits for the end of the saga, without blocking a thread. */
@RestController
@RequestMapping("/api/orders/orchestrated")
class CheckoutController {

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private final OrderCommands orders;

    CheckoutController(OrderCommands orders) {
        this.orders = orders;
    }

    /** Responds with 201 if the order is confirmed, 409 if it was cancelled, and 202 if that takes longer. */
    @PostMapping
    CompletableFuture<ResponseEntity<PlacedOrder>> place(
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable @ShortText String idempotencyKey,
            @Valid @RequestBody PlaceOrder request) {
        OrderCommands.Checkout checkout = orders.checkOut(idempotencyKey, request);
        SagaHandle saga = checkout.saga();
        return saga.whenEnded(MAX_WAIT).thenApply(ended -> response(checkout.orderId(), saga.id(), ended));
    }

    private ResponseEntity<PlacedOrder> response(String orderId, String sagaId, Optional<SagaState> ended) {
        PlacedOrder placed = PlacedOrder.of(orders.find(orderId));
        if (ended.isEmpty()) {
            return ResponseEntity.accepted()
                    .location(URI.create("/api/sagas/" + sagaId))
                    .body(placed);
        }
        return ended.get().status() == SagaStatus.COMPLETED
                ? ResponseEntity.created(URI.create("/api/orders/" + orderId)).body(placed)
                : ResponseEntity.status(HttpStatus.CONFLICT).body(placed);
    }
}
