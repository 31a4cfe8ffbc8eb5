package io.holdfast.saga.orchestration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepStatus;
import io.holdfast.service.HoldfastService;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orchestrated sagas over two services with real threads. */
class SagaOrchestratorTests {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Map<String, RuntimeException> failures = new ConcurrentHashMap<>();
    private final SagaDefinition<Trip> definition = definition();
    private final SagaDefinition<Trip> silent = SagaDefinition.named("Silent", Trip.class)
            .step("nothing")
            .local((trip, decision) -> calls.add("silent " + trip.id()))
            .build();
    private HoldfastService travel;
    private HoldfastService hotel;

    @BeforeEach
    void startServices() {
        hotel = HoldfastService.named("hotel", new InMemoryStore("hotel", clock), wire)
                .owns("rooms")
                .processor("rooms", processor -> processor.reads("travel.sagas").calls(rooms()))
                .start();
        travel = HoldfastService.named("travel", new InMemoryStore("travel", clock), wire)
                .owns("trips")
                .resilience(ResilienceSettings.DEFAULT.retry(
                        RetryOverrides.NONE.waitDuration(Duration.ofMillis(10)).jitter(0)))
                .saga(definition)
                .saga(silent)
                .start();
    }

    @AfterEach
    void closeServices() {
        travel.close();
        hotel.close();
    }

    @Test
    void runsAllStepsAndNotifiesTheCaller() {
        SagaState saga = run("t-1", new Trip("t-1", 2, 0));

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPLETED);
        assertThat(statuses(saga))
                .containsExactly(
                        "book:COMPLETED",
                        "insure:SKIPPED",
                        "score:COMPLETED",
                        "reserve:COMPLETED",
                        "confirm:COMPLETED");
        assertThat(trip("t-1")).isEqualTo("booked, confirmed 7");
        assertThat(calls).containsExactly("score t-1");
        assertThat(travel.resilience()
                        .circuitBreakers()
                        .circuitBreaker("scores")
                        .getMetrics())
                .satisfies(breaker ->
                        assertThat(breaker.getNumberOfSuccessfulCalls()).isEqualTo(1));
    }

    @Test
    void rejectsADefinitionThatTheServiceDoesNotRun() {
        SagaDefinition<Trip> other = definition();

        assertThatThrownBy(() -> travel.sagas().start(other, Command.keyed("test", "other"), new Trip("t-0", 1, 0)))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("the service does not run saga definition Journey");
    }

    @Test
    void undoesInReverseOrderAfterARefusal() {
        SagaState saga = run("t-2", new Trip("t-2", 99, 0));

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(statuses(saga))
                .containsExactly(
                        "book:COMPENSATED", "insure:SKIPPED", "score:COMPENSATED", "reserve:FAILED", "confirm:PENDING");
        assertThat(saga.reason()).isEqualTo("no rooms");
        assertThat(trip("t-2")).isEqualTo("booked, cancelled");
        assertThat(calls).containsExactly("score t-2", "unscore t-2");
    }

    @Test
    void compensatesIfALocalStepRefusesLater() {
        SagaState saga = run("bad-confirm", new Trip("bad-confirm", 1, 0));

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(statuses(saga))
                .containsExactly(
                        "book:COMPENSATED",
                        "insure:SKIPPED",
                        "score:COMPENSATED",
                        "reserve:COMPENSATED",
                        "confirm:FAILED");
        assertThat(saga.reason()).isEqualTo("refused to confirm");
        assertThat(trip("bad-confirm")).isEqualTo("booked, cancelled");
    }

    @Test
    void storesNothingIfTheFirstLocalStepRefuses() {
        Command command = Command.keyed("test", "nothing");

        assertThatThrownBy(() -> travel.sagas().start(definition, command, new Trip("", 1, 0)))
                .isInstanceOf(Refused.class)
                .hasMessage("no id");
        assertThat(travel.sagaStates().find(SagaOrchestrator.idOf(command))).isEmpty();
    }

    @Test
    void startsOneSagaForOneKeyAlsoIfItAppendsNothing() {
        Command command = Command.keyed("test", "silent");

        travel.sagas().start(silent, command, new Trip("s-1", 1, 0));
        travel.sagas().start(silent, command, new Trip("s-1", 1, 0));

        assertThat(calls).containsExactly("silent s-1");
    }

    @Test
    void undoesACallOfUnknownOutcomeFirst() {
        failures.put("score t-3", new IllegalStateException("connection lost"));

        SagaState saga = run("t-3", new Trip("t-3", 1, 0));

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(saga.steps().get("score").status()).isEqualTo(StepStatus.COMPENSATED);
        assertThat(calls).containsExactly("score t-3", "score t-3", "unscore t-3");
    }

    @Test
    void doesNotUndoACallThatWasRefused() {
        failures.put("score t-4", new Refused("declined"));

        SagaState saga = run("t-4", new Trip("t-4", 1, 0));

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(saga.steps().get("score").status()).isEqualTo(StepStatus.FAILED);
        assertThat(saga.steps().get("score").failureReason()).isEqualTo("declined");
        assertThat(calls).containsExactly("score t-4");
    }

    @Test
    void findsASagaThatEndedOnAnotherReplica() {
        String id = run("t-5", new Trip("t-5", 2, 0)).sagaId();
        SagaAwaits otherReplica = new SagaAwaits(travel.sagaStates());
        CompletableFuture<SagaState> ended = otherReplica.whenEnded(id, false);

        Duration untilFirstLook = otherReplica.step();
        Duration untilNextLook = otherReplica.step();

        assertThat(ended).succeedsWithin(LONG).extracting(SagaState::status).isEqualTo(SagaStatus.COMPLETED);
        assertThat(List.of(untilFirstLook, untilNextLook)).allMatch(time -> time.compareTo(Duration.ofMillis(250)) < 0);
    }

    @Test
    void findsASagaThatEndedBeforeItWasAwaited() {
        String id = run("t-6", new Trip("t-6", 2, 0)).sagaId();

        assertThat(travel.sagas().find(id).whenEnded()).succeedsWithin(LONG);

        SagaAwaits otherReplica = new SagaAwaits(travel.sagaStates());
        CompletableFuture<SagaState> ended = otherReplica.whenEnded(id, true);
        otherReplica.step();
        assertThat(ended).succeedsWithin(LONG);
    }

    @Test
    void looksForASagaThatIsAwaitedWhileTheWorkerIsIdle() {
        SagaAwaits awaits = new SagaAwaits(travel.sagaStates());
        awaits.step();

        try (Worker worker = awaits.start("test")) {
            String id = run("t-7", new Trip("t-7", 2, 0)).sagaId();

            assertThat(awaits.whenEnded(id, false)).succeedsWithin(LONG);
            assertThat(worker.isTerminated()).isFalse();
        }
    }

    @Test
    void namesTheStreamOfRepliesThatNoServiceOwns() {
        SagaDefinition<Trip> ride = SagaDefinition.named("Ride", Trip.class)
                .step("order-car")
                .command(trip -> new ReserveRooms(trip.id(), 0))
                .repliedBy("cars", "CarOrdered")
                .build();
        try (HoldfastService rides = HoldfastService.named("rides", new InMemoryStore("rides", clock), wire)
                .saga(ride)
                .start()) {
            await().atMost(LONG).untilAsserted(() -> assertThat(rides.sagaProblems())
                    .containsExactly("saga Ride awaits replies in stream cars, but no running service owns it"));
            assertThat(rides.problems()).containsAll(rides.sagaProblems());
        }
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(travel.sagaProblems()).isEmpty());
    }

    @Test
    void stopsLookingForASagaThatIsNoLongerAwaited() {
        SagaAwaits awaits = new SagaAwaits(travel.sagaStates());

        assertThat(new SagaHandle("unknown", false, awaits).await(Duration.ofMillis(1)))
                .isEmpty();

        assertThat(awaits.step()).isGreaterThanOrEqualTo(Duration.ofSeconds(10));
    }

    private SagaState run(String key, Trip trip) {
        SagaHandle saga = travel.sagas().start(definition, Command.keyed("test", key), trip);
        return saga.await(LONG)
                .orElseThrow(() -> new AssertionError("still running: "
                        + travel.sagaStates().find(saga.id()) + travel.problems() + hotel.problems()));
    }

    private static List<String> statuses(SagaState saga) {
        return saga.stepsInOrder().stream()
                .map((SagaStepRecord step) -> step.name() + ":" + step.status())
                .toList();
    }

    private String trip(String id) {
        return String.join(", ", travel.commands().state(TRIP, id).log());
    }

    private SagaDefinition<Trip> definition() {
        return SagaDefinition.named("Journey", Trip.class)
                .timeout(Duration.ofMinutes(1))
                .step("book")
                .local((trip, decision) -> {
                    if (trip.id().isEmpty()) {
                        throw new Refused("no id");
                    }
                    decision.append(TRIP, trip.id(), new Booked());
                })
                .undo((trip, decision) -> decision.append(TRIP, trip.id(), new Cancelled()))
                .step("insure")
                .when(trip -> trip.rooms() > 1_000)
                .local((trip, decision) -> {})
                .step("score")
                .call((trip, call) -> called("score " + trip.id(), 7))
                .then((trip, score) -> new Trip(trip.id(), trip.rooms(), score))
                .retry(2)
                .breaker("scores")
                .undo((trip, call) -> called("unscore " + trip.id(), 0))
                .step("reserve")
                .command(trip -> new ReserveRooms(trip.id(), trip.rooms()))
                .repliedBy("rooms", "RoomsReserved")
                .refusedBy("RoomsRefused")
                .undo(trip -> new ReleaseRooms(trip.id()))
                .repliedBy("RoomsReleased", "RoomsWithdrawn")
                .step("confirm")
                .local((trip, decision) -> {
                    if (trip.id().equals("bad-confirm")) {
                        throw new Refused("refused to confirm");
                    }
                    decision.append(TRIP, trip.id(), new Confirmed(trip.score()));
                })
                .build();
    }

    private int called(String call, int result) {
        calls.add(call);
        RuntimeException failure = failures.get(call);
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    private static Component rooms() {
        return Component.named("rooms")
                .on(
                        ReserveRooms.class,
                        (command, context) -> context.decide(ROOMS, command.id(), rooms -> {
                            if (!rooms.status().isEmpty()) {
                                return List.of();
                            }
                            return List.of(command.rooms() > 10 ? new RoomsRefused("no rooms") : new RoomsReserved());
                        }))
                .on(
                        ReleaseRooms.class,
                        (command, context) -> context.decide(ROOMS, command.id(), rooms -> switch (rooms.status()) {
                            case "reserved" -> List.of(new RoomsReleased());
                            case "" -> List.of(new RoomsWithdrawn());
                            default -> List.of();
                        }))
                .build();
    }

    private static final AggregateType<TripLog> TRIP = AggregateType.of("trips", TripLog.class, new TripLog(List.of()))
            .on(Booked.class, (trip, event) -> trip.with("booked"))
            .on(Cancelled.class, (trip, event) -> trip.with("cancelled"))
            .on(Confirmed.class, (trip, event) -> trip.with("confirmed " + event.score()))
            .build();

    private static final AggregateType<Rooms> ROOMS = AggregateType.of("rooms", Rooms.class, new Rooms(""))
            .on(RoomsReserved.class, (rooms, event) -> new Rooms("reserved"))
            .on(RoomsRefused.class, (rooms, event) -> new Rooms("refused"))
            .on(RoomsReleased.class, (rooms, event) -> new Rooms("released"))
            .on(RoomsWithdrawn.class, (rooms, event) -> new Rooms("withdrawn"))
            .build();

    record Trip(String id, int rooms, int score) {}

    record TripLog(List<String> log) {
        TripLog with(String entry) {
            List<String> longer = new ArrayList<>(log);
            longer.add(entry);
            return new TripLog(longer);
        }
    }

    record Rooms(String status) {}

    record Booked() {}

    record Cancelled() {}

    record Confirmed(int score) {}

    record ReserveRooms(String id, int rooms) {}

    record ReleaseRooms(String id) {}

    record RoomsReserved() {}

    record RoomsRefused(String reason) {}

    record RoomsReleased() {}

    record RoomsWithdrawn() {}

    static final class Refused extends RuntimeException implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }
}
