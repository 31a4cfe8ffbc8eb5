package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.eventsourcing.Command;
import io.holdfast.processing.EventProcessor;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.orchestration.SagaActions;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaOrchestrations;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import io.holdfast.tck.harness.StoreKit;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;

/** Base of the kits for orchestrated sagas: a world whose orchestrator runs on the store under test. */
public abstract class OrchestrationKit extends StoreKit {

    /** The events of an order that is confirmed: those of the order, of its stock and of its payment. */
    static final String[] CONFIRMED = {"OrderCreated", "OrderConfirmed", "StockReserved", "PaymentProcessed"};

    final PurchaseScript script = new PurchaseScript();
    private SagaDefinition<Purchase> definition;
    private SagaWorld world;

    @BeforeEach
    void createWorld() {
        definition = Purchase.definition(script);
        world = new SagaWorld(harness())
                .orchestrates(definition, service -> Purchase.blueprint(service, script))
                .start();
    }

    final SagaWorld world() {
        return world;
    }

    /** Starts another version of the definition on the next orchestrator. */
    final void deploy(String version, SagaDefinition<Purchase> newDefinition) {
        definition = newDefinition;
        world.deploys(version, newDefinition);
    }

    final SagaDefinition<Purchase> definition() {
        return definition;
    }

    static Command command(String order) {
        return Command.keyed("purchases", order);
    }

    static String saga(String order) {
        return SagaOrchestrator.idOf(command(order));
    }

    /** Submits the start of a saga, without committing it. */
    final CompletableFuture<?> submit(String order, ServiceReplica replica) {
        return replica.orchestrator().submit(definition, command(order), new Purchase(order, 1, 0));
    }

    /** Starts a saga. */
    final CompletableFuture<?> start(String order) {
        CompletableFuture<?> started = submit(order, world.tracker());
        world.tracker().commit();
        return started;
    }

    /** Starts a saga and lets everything happen that follows at once. */
    final void run(String order) {
        var unused = start(order);
        world.settle();
    }

    /** Lets short times pass until all retries have run. */
    final void passRetries() {
        for (int i = 0; i < 6; i++) {
            world.pass(Duration.ofSeconds(1));
        }
    }

    final SagaState find(String order) {
        return world.tracker().sagas().find(saga(order)).orElseThrow().state();
    }

    final SagaStepRecord step(String order, String name) {
        return Objects.requireNonNull(find(order).steps().get(name), name);
    }

    final void assertStatus(String order, SagaStatus expected) {
        SagaState saga = find(order);
        assertThat(saga.status()).as("status of %s", saga).isEqualTo(expected);
    }

    final List<String> steps(String order) {
        return find(order).stepsInOrder().stream()
                .map(step -> step.name() + " " + step.status())
                .toList();
    }

    /** Returns the parked letters of the orchestrator. */
    final List<DeadLetter> letters() {
        List<DeadLetter> letters = new ArrayList<>();
        EventProcessor processor = world.tracker().processor(SagaOrchestrations.PROCESSOR);
        processor.components().forEach(component -> processor
                .deadLetterQueue(component.name())
                .deadLetters()
                .forEach(sequence -> sequence.forEach(letters::add)));
        return letters;
    }

    /** Replays all letters of the orchestrator. */
    final void replayOrchestrator() {
        replay(world.tracker(), SagaOrchestrations.PROCESSOR);
    }

    /** Replays all letters of a participant. */
    final void replayParticipant(String service) {
        replay(world.participant(service), ServiceBlueprint.PROCESSOR);
    }

    private void replay(ServiceReplica replica, String processor) {
        replica.processor(processor).components().forEach(component -> {
            var unused = replica.processor(processor)
                    .deadLetterProcessor(component.name())
                    .processAll(BulkReplaySettings.UNLIMITED);
        });
        world.settle();
    }

    /** Lets an operator act on a saga in its newest version. */
    final CompletableFuture<Void> act(String order, Action action) {
        StoredSaga seen = world.tracker().sagas().find(saga(order)).orElseThrow();
        CompletableFuture<Void> acted =
                action.act(world.tracker().actions(), operator(), seen.state().sagaId(), seen.version());
        world.settle();
        return acted;
    }

    final void giveUp(String order) {
        act(order, (actions, command, saga, version) -> actions.giveUp(command, saga, version, "given up"))
                .join();
    }

    private static Command operator() {
        return Command.once(Clock.systemUTC());
    }

    /** An action of an operator. */
    interface Action {
        CompletableFuture<Void> act(SagaActions actions, Command command, String saga, long version);
    }

    /** Limits the time for which a letter suspends its saga. */
    final SagaSettings withMaxSuspended(Duration time) {
        return settings(world.settings().autoCompensate(), time);
    }

    final SagaSettings withoutAutoCompensate() {
        return settings(false, world.settings().maxSuspended());
    }

    private SagaSettings settings(boolean autoCompensate, Duration maxSuspended) {
        SagaSettings defaults = world.settings();
        return new SagaSettings(
                true,
                defaults.checkInterval(),
                defaults.defaultDeadline(),
                autoCompensate,
                defaults.maxBatchSize(),
                defaults.deadlines(),
                maxSuspended,
                defaults.retention());
    }

    final double count(String counter) {
        return world.metrics.counter(counter, "sagaType", Purchase.TYPE).count();
    }
}
