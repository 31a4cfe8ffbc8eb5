package io.holdfast.jdbc;

import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.handling.Component;
import io.holdfast.saga.orchestration.CallStep;
import io.holdfast.saga.orchestration.CommandUndo;
import io.holdfast.saga.orchestration.LocalStep;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaStepBuilder;
import java.util.List;

/**
 * An orchestrated journey: a trip is booked and paid, gets a room and is confirmed. A journey whose id starts with
 * {@code bad-} refuses to be confirmed, so all of its steps are undone.
 */
final class Journeys {

    static final String TYPE = "Journey";
    static final String SERVICE = "travel";
    static final String ROOMS_PROCESSOR = "rooms";

    static final AggregateType<Nothing> TRIPS = AggregateType.of("trips", Nothing.class, new Nothing())
            .ignoringAll()
            .build();

    static final AggregateType<Room> ROOMS = AggregateType.of("rooms", Room.class, new Room("FREE"))
            .on(RoomReserved.class, (room, event) -> new Room("RESERVED"))
            .on(RoomReleased.class, (room, event) -> new Room("GONE"))
            .on(RoomWithdrawn.class, (room, event) -> new Room("GONE"))
            .build();

    private Journeys() {}

    /** The first version of the definition. */
    static SagaDefinition<Journey> first(JourneyPayments payments) {
        return confirm(
                payments,
                reserve(paid(payments, booked().step("pay")).step("reserve")).step("confirm"));
    }

    /** The next version: one step has another name, one is retired, and one is new. */
    static SagaDefinition<Journey> second(JourneyPayments payments) {
        return confirm(
                payments,
                reserve(paid(payments, booked().step("charge").formerly("pay")).retired("reserve"))
                        .step("audit")
                        .local((journey, decision) -> decision.append(TRIPS, journey.id(), new Audited()))
                        .step("confirm"));
    }

    /** A version that has lost a step which sagas still have. */
    static SagaDefinition<Journey> withoutReserve(JourneyPayments payments) {
        return confirm(payments, paid(payments, booked().step("pay")).step("confirm"));
    }

    private static LocalStep<Journey> booked() {
        return SagaDefinition.named(TYPE, Journey.class)
                .key(Journey::id)
                .step("book")
                .local((journey, decision) -> decision.append(TRIPS, journey.id(), new Booked()))
                .undo((journey, decision) -> decision.append(TRIPS, journey.id(), new Cancelled()));
    }

    private static CallStep<Journey, Boolean> paid(JourneyPayments payments, SagaStepBuilder<Journey> pay) {
        return pay.<Boolean>call((journey, call) -> payments.call("pay", journey.id(), call.idempotencyKey()))
                .retry(5)
                .undo((journey, call) -> payments.call("refund", journey.id(), call.idempotencyKey()));
    }

    private static CommandUndo<Journey> reserve(SagaStepBuilder<Journey> reserve) {
        return reserve.command(journey -> new ReserveRoom(journey.id()))
                .repliedBy(ROOMS.stream(), "RoomReserved")
                .undo(journey -> new ReleaseRoom(journey.id()))
                .repliedBy("RoomReleased", "RoomWithdrawn");
    }

    private static SagaDefinition<Journey> confirm(JourneyPayments payments, SagaStepBuilder<Journey> confirm) {
        return confirm.local((journey, decision) -> {
                    if (journey.isBad()) {
                        throw new Refused();
                    }
                    payments.confirming(journey.id());
                    decision.append(TRIPS, journey.id(), new Confirmed());
                })
                .build();
    }

    /** Answers the commands of the journeys. */
    static Component rooms() {
        return Component.named("rooms")
                .on(
                        ReserveRoom.class,
                        (command, context) -> context.decide(ROOMS, command.journey(), room -> switch (room.status()) {
                            case "FREE" -> List.of(new RoomReserved());
                            default -> List.of();
                        }))
                .on(
                        ReleaseRoom.class,
                        (command, context) -> context.decide(ROOMS, command.journey(), room -> switch (room.status()) {
                            case "FREE" -> List.of(new RoomWithdrawn());
                            case "RESERVED" -> List.of(new RoomReleased());
                            default -> List.of();
                        }))
                .build();
    }

    record Journey(String id) {

        boolean isBad() {
            return id.startsWith("bad-");
        }
    }

    record Nothing() {}

    record Room(String status) {}

    record Booked() {}

    record Audited() {}

    record Confirmed() {}

    record Cancelled() {}

    record ReserveRoom(String journey) {}

    record ReleaseRoom(String journey) {}

    record RoomReserved() {}

    record RoomReleased() {}

    record RoomWithdrawn() {}

    /** Refuses a step. */
    static final class Refused extends RuntimeException implements NonRetryableException {

        private static final long serialVersionUID = 1L;

        Refused() {
            super("a bad journey");
        }
    }
}
