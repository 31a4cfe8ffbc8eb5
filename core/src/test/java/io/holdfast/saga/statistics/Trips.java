package io.holdfast.saga.statistics;

import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaEvent;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A saga type, and sagas after some of their events. */
final class Trips {

    static final String TYPE = "Trip";
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Choreography CHOREOGRAPHY = declare();

    private Trips() {}

    private static Choreography declare() {
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga(TYPE)
                .streams("trips", "cars", "rooms")
                .register("Booked", "Cancelled", "travel")
                .register("CarRented", "CarReturned", "cars")
                .withdrawnBy("CarWithdrawn")
                .register("RoomBooked", "RoomReturned", "rooms")
                .failedBy("RoomRefused")
                .completedBy("Confirmed", "travel")
                .cancelBy((saga, decision) -> {});
        return registry.choreographies().find(TYPE).orElseThrow();
    }

    /** @param second when the event occurred, after {@link #START} */
    static SagaState record(@Nullable SagaState before, String event, long second) {
        return record(before, "s-1", event, second);
    }

    static SagaState record(@Nullable SagaState before, String sagaId, String event, long second) {
        SagaEvent recorded = new SagaEvent(
                sagaId, event, new UUID(0, event.hashCode()), "t-1", null, START.plusSeconds(second), null);
        return Objects.requireNonNull(CHOREOGRAPHY.record(before, recorded, Duration.ofMinutes(1)));
    }
}
