package io.holdfast.saga;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The saga of the example shop, and its events. Each event type always has the same id and time. */
final class OrderFulfillment {

    static final String SAGA_ID = "saga-o-1";
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Duration TIMEOUT = Duration.ofSeconds(60);
    static final Duration RETENTION = Duration.ofDays(7);

    /** In an order in which they could occur. */
    static final List<String> EVENT_TYPES = List.of(
            "OrderCreated",
            "StockReserved",
            "StockReservationFailed",
            "PaymentProcessed",
            "PaymentFailed",
            "OrderConfirmed",
            "OrderCancelled",
            "PaymentRefunded",
            "PaymentWithdrawn",
            "StockReleased",
            "ReservationWithdrawn");

    static final Choreography TYPE = declaredIn(new CompensationRegistry())
            .choreographies()
            .find("OrderFulfillment")
            .orElseThrow();

    private OrderFulfillment() {}

    static CompensationRegistry declaredIn(CompensationRegistry registry) {
        registry.saga("OrderFulfillment")
                .streams("orders", "reservations", "payments")
                .register("OrderCreated", "OrderCancelled", "order")
                .register("StockReserved", "StockReleased", "inventory")
                .failedBy("StockReservationFailed")
                .withdrawnBy("ReservationWithdrawn")
                .register("PaymentProcessed", "PaymentRefunded", "payment")
                .failedBy("PaymentFailed")
                .withdrawnBy("PaymentWithdrawn")
                .completedBy("OrderConfirmed", "order")
                .timeout(TIMEOUT)
                .cancelBy((saga, decision) -> {});
        return registry;
    }

    static Instant timeOf(String eventType) {
        return START.plusSeconds(EVENT_TYPES.indexOf(eventType));
    }

    static UUID idOf(String eventType) {
        return UUID.nameUUIDFromBytes(eventType.getBytes(StandardCharsets.UTF_8));
    }

    static SagaEvent event(String type) {
        String reason = type.endsWith("Failed") ? type + " for a reason" : null;
        return new SagaEvent(SAGA_ID, type, idOf(type), "o-1", "c-1", timeOf(type), reason);
    }

    static SagaState record(@Nullable SagaState before, String eventType) {
        return Objects.requireNonNull(TYPE.record(before, event(eventType), TIMEOUT));
    }

    /** Returns the row after these events, in this order. */
    static SagaState after(String... eventTypes) {
        SagaState saga = null;
        for (String type : eventTypes) {
            saga = record(saga, type);
        }
        return Objects.requireNonNull(saga);
    }
}
