package io.holdfast.admin.operation;

import static io.holdfast.admin.operation.OperationReplica.get;
import static io.holdfast.admin.operation.OperationReplica.newId;
import static io.holdfast.admin.operation.OperationReplica.problem;
import static io.holdfast.admin.operation.OperationReplica.submission;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Requester;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Service travel has two replicas and tracks a saga. Operators ask billing, another service. */
class SagaOperationsTests {

    private static final Duration GENEROUS = Duration.ofSeconds(20);
    private static final String SAGA = "saga-t-1";

    record Booked() {}

    record Cancelled() {}

    record CarRented() {}

    record CarReturned() {}

    record Trip(int events) {

        static final AggregateType<Trip> TYPE = AggregateType.of("trips", Trip.class, new Trip(0))
                .on(Booked.class, (trip, event) -> new Trip(trip.events() + 1))
                .on(Cancelled.class, (trip, event) -> new Trip(trip.events() + 1))
                .on(CarRented.class, (trip, event) -> new Trip(trip.events() + 1))
                .on(CarReturned.class, (trip, event) -> new Trip(trip.events() + 1))
                .build();
    }

    record Question(String text) {}

    private static final SagaDefinition<Question> SURVEY = SagaDefinition.named("Survey", Question.class)
            .step("ask")
            .command(question -> question)
            .repliedBy("answers", "Answered")
            .build();

    private final InMemoryWire wire = new InMemoryWire();
    private final InMemoryStore store = new InMemoryStore("travel", Clock.systemUTC());
    private final OperationReplica first = travel("travel-1");
    private final OperationReplica second = travel("travel-2");
    private final OperationReplica billing =
            new OperationReplica(HoldfastService.named("billing", new InMemoryStore("billing", Clock.systemUTC()), wire)
                    .replica("billing-1"));

    private OperationReplica travel(String replica) {
        return new OperationReplica(HoldfastService.named("travel", store, wire)
                .replica(replica)
                .owns("trips", "answers")
                .saga(SURVEY)
                .sagas(registry -> registry.saga("Trip")
                        .streams("trips")
                        .register("Booked", "Cancelled", "travel")
                        .register("CarRented", "CarReturned", "travel")
                        .completedBy("Confirmed", "travel")
                        .cancelBy((saga, decision) -> decision.append(Trip.TYPE, saga.key(), new Cancelled()))));
    }

    @BeforeEach
    void startSaga() {
        var unused = first.service
                .commands()
                .execute(
                        Command.once(Clock.systemUTC()).with(Metadata.none().withSaga("Trip", SAGA)),
                        Trip.TYPE,
                        "t-1",
                        trip -> List.of(new Booked()));
        await().atMost(GENEROUS)
                .until(() -> wire.directory().size() == 3
                        && billing.service.knownServices().size() == 2
                        && first.service.sagaStates().find(SAGA).isPresent());
    }

    @AfterEach
    void close() {
        Stream.of(first, second, billing).forEach(OperationReplica::close);
    }

    private StoredSaga saga() {
        return first.service.sagaStates().find(SAGA).orElseThrow();
    }

    private SagaStatus status() {
        return saga().state().status();
    }

    private long cancelled() {
        return store.eventLog().readStream("trips", 0, 100).stream()
                .filter(event -> event.type().equals("Cancelled"))
                .count();
    }

    private static Submission decision(SystemOperation operation, String saga, Map<String, String> options) {
        return submission(newId(), operation, saga, options);
    }

    private ReceiptDetails submit(SystemOperation operation, Map<String, String> options) {
        return get(billing.operations.submitToTracker(
                SAGA, decision(operation, SAGA, options), billing.operator(Role.ADMIN)));
    }

    private OperatorProblem.Problem refused(
            SystemOperation operation, String saga, Map<String, String> options, Role role) {
        return problem(
                billing.operations.submitToTracker(saga, decision(operation, saga, options), billing.operator(role)));
    }

    private static void assertApplied(ReceiptDetails receipt) {
        assertThat(receipt.totals().toString()).isEqualTo("{selected=1, open=0, applied=1}");
        assertThat(receipt.parts()).extracting("service").containsExactly("travel");
    }

    @Test
    void compensatesASagaOnce() {
        Submission compensation = decision(SystemOperation.COMPENSATE_SAGA, SAGA, Map.of());

        assertApplied(get(billing.operations.submitToTracker(SAGA, compensation, billing.operator(Role.OPERATOR))));
        assertApplied(get(second.operations.submitToTracker(SAGA, compensation, second.operator(Role.OPERATOR))));

        assertThat(cancelled()).isOne();
        assertThat(saga().state().reason()).isEqualTo("maintenance, OPS-7");
    }

    @Test
    void skipsAStep() {
        ReceiptDetails skipped = submit(SystemOperation.SKIP_STEP, Map.of("step", "CarRented"));

        assertApplied(skipped);
        assertThat(saga().state().steps().get("CarRented").status().name()).isEqualTo("SKIPPED");
    }

    @Test
    void refusesToGiveUpWhatIsNotCompensated() {
        ReceiptDetails givenUp = submit(SystemOperation.GIVE_UP_SAGA, Map.of());

        assertThat(givenUp.items().get(0).outcome()).isEqualTo("REFUSED");
        assertThat(givenUp.items().get(0).detail()).contains("only a compensation can be given up");
        assertThat(status().isOpen()).isTrue();
    }

    @Test
    void refusesToRetryAStepOfAChoreographedSaga() {
        ReceiptDetails retried = submit(SystemOperation.RETRY_STEP, Map.of());

        assertThat(retried.items().get(0).outcome()).isEqualTo("REFUSED");
        assertThat(retried.items().get(0).detail()).contains("replay its letters instead");
    }

    @Test
    void sendsTheCommandOfAStepAgainOnce() {
        Command start = Command.keyed("surveys", "s-1");
        var unused = first.service.sagas().submit(SURVEY, start, new Question("why"));
        String survey = SagaOrchestrator.idOf(start);
        await().atMost(GENEROUS).until(() -> asked() == 1);
        Submission retry = decision(SystemOperation.RETRY_STEP, survey, Map.of());

        assertApplied(get(billing.operations.submitToTracker(survey, retry, billing.operator(Role.OPERATOR))));
        assertApplied(get(second.operations.submitToTracker(survey, retry, second.operator(Role.OPERATOR))));

        assertThat(asked()).isEqualTo(2);
    }

    private long asked() {
        return store.eventLog().readAll(0, 100).stream()
                .filter(event -> event.type().equals("Question"))
                .count();
    }

    @Test
    void refusesADecisionAboutAnEarlierVersion() {
        var changed = refused(
                SystemOperation.COMPENSATE_SAGA,
                SAGA,
                Map.of("version", Long.toString(saga().version() + 1)),
                Role.OPERATOR);

        assertThat(changed.status()).isEqualTo(409);
        assertThat(changed.code()).isEqualTo("saga-changed");
        assertThat(cancelled()).isZero();
    }

    @Test
    void refusesInvalidDecisions() {
        assertThat(refused(SystemOperation.COMPENSATE_SAGA, "saga-2", Map.of(), Role.ADMIN)
                        .code())
                .isEqualTo("saga-unknown");
        assertThat(refused(SystemOperation.SKIP_STEP, SAGA, Map.of(), Role.ADMIN)
                        .code())
                .isEqualTo("invalid-parameters");
        assertThat(refused(SystemOperation.SKIP_STEP, SAGA, Map.of("step", "CarRented"), Role.OPERATOR)
                        .code())
                .isEqualTo("role-required");
        assertThat(refused(SystemOperation.COMPENSATE_SAGA, SAGA, Map.of(), Role.VIEWER)
                        .code())
                .isEqualTo("role-required");
        assertThat(cancelled()).isZero();
    }

    @Test
    void anotherReplicaRunsWhatADeadOneHasStaged() {
        String id = newId();
        Map<String, String> seen = Map.of("version", Long.toString(saga().version()));

        store.actionStore()
                .stage(Action.of(
                                id,
                                Kind.COMPENSATE_SAGA,
                                "saga " + SAGA,
                                "hash",
                                new Requester("ana", "OPERATOR", null, null),
                                List.of(new OperationItem("saga", SAGA)))
                        .withOptions(seen)); // as a replica that dies right after

        await().atMost(GENEROUS)
                .until(() -> store.actionStore().find(List.of(id)).get(0).isDone());
        assertThat(store.actionStore()
                        .find(List.of(id))
                        .get(0)
                        .totals()
                        .outcomes()
                        .toString())
                .isEqualTo("{APPLIED=1}");
        assertThat(cancelled()).isOne();
    }
}
