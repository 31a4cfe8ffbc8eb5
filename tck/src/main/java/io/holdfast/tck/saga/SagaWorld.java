package io.holdfast.tck.saga;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventMessage;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.EventProcessor;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaCancellation;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.ScriptedBreakers;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StoreHarness;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A tracker on the store under test, two participants in memory, and the wire between them. Nothing runs unless a test
 * runs it, and time passes only on the manual clock.
 */
final class SagaWorld {

    /** The deadline of every saga. */
    static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Longer than every lease, and than the directory remembers a silent replica. */
    static final Duration BEYOND_LEASE = Duration.ofSeconds(15);

    /** Three of them are longer than an owner may be absent, and one is too short to count as a frozen process. */
    private static final Duration ABSENCE_STEP = Duration.ofSeconds(4);

    /** Shorter than a lease, and long enough that replicas renew it. */
    private static final Duration REFRESH = Duration.ofSeconds(5);

    /** Enough to carry an order through all services. */
    private static final int ROUNDS = 8;

    final TradeHandlers handlers = new TradeHandlers();
    final InMemoryWire wire;
    final MeterRegistry metrics = new SimpleMeterRegistry();
    private final StoreHarness harness;
    private Function<String, ServiceBlueprint> blueprints = handlers::blueprint;
    private List<SagaDefinition<?>> definitions = List.of();
    private String version = "1";
    private final Map<String, Store> stores = new LinkedHashMap<>();
    private final Map<String, ServiceReplica> participants = new LinkedHashMap<>();
    private final List<ServiceReplica> trackers = new ArrayList<>();
    private SagaCancellation cancellation = Trade::cancel;
    private SagaSettings settings = SagaSettings.DEFAULT.withDefaultDeadline(DEADLINE);
    private boolean breakersOpen;
    private Duration wallClockAhead = Duration.ZERO;
    private int started;

    SagaWorld(StoreHarness harness) {
        this.harness = harness;
        this.wire = InMemoryWire.singleThreaded(10_000, harness.clock(), CommitPoint.Observer.NONE);
        stores.put(Trade.INVENTORY, new InMemoryStore(Trade.INVENTORY, harness.clock()));
        stores.put(Trade.PAYMENT, new InMemoryStore(Trade.PAYMENT, harness.clock()));
    }

    /** Sets the local compensation. Call it before {@link #start}. */
    SagaWorld cancelBy(SagaCancellation newCancellation) {
        cancellation = newCancellation;
        return this;
    }

    SagaWorld settings(SagaSettings newSettings) {
        settings = newSettings;
        return this;
    }

    SagaSettings settings() {
        return settings;
    }

    /** Lets the tracker orchestrate this saga, instead of tracking the choreographed one. Call it before {@link #start}. */
    SagaWorld orchestrates(SagaDefinition<?> definition, Function<String, ServiceBlueprint> newBlueprints) {
        definitions = List.of(definition);
        blueprints = newBlueprints;
        return this;
    }

    /** Deploys another version of the definition with the next tracker that starts. */
    SagaWorld deploys(String newVersion, SagaDefinition<?> definition) {
        version = newVersion;
        definitions = List.of(definition);
        return this;
    }

    /** Starts one replica of each service. */
    SagaWorld start() {
        return start(harness.store());
    }

    /** @param trackerStore the store under test, or a decorator of it */
    SagaWorld start(Store trackerStore) {
        startTracker(trackerStore);
        up(Trade.INVENTORY);
        up(Trade.PAYMENT);
        settle();
        return this;
    }

    ServiceReplica startTracker(Store store) {
        ServiceReplica tracker = new ServiceReplica(blueprints.apply(Trade.TRACKER), environment(Trade.TRACKER, store));
        trackers.add(tracker);
        return tracker;
    }

    /** Ends all trackers without a word, and starts another one. */
    ServiceReplica restartTracker() {
        stopTrackers();
        return startTracker(harness.store());
    }

    void stopTrackers() {
        trackers.forEach(ServiceReplica::disconnect);
        trackers.clear();
    }

    void up(String service) {
        participants.put(
                service,
                new ServiceReplica(
                        blueprints.apply(service), environment(service, Objects.requireNonNull(stores.get(service)))));
    }

    /** Kills a participant. */
    void down(String service) {
        participant(service).disconnect();
        participants.remove(service);
    }

    boolean isUp(String service) {
        return participants.containsKey(service);
    }

    private ServiceReplica.Environment environment(String service, Store store) {
        CompensationRegistry registry = new CompensationRegistry();
        if (definitions.isEmpty()) {
            Trade.declare(registry, cancellation);
        }
        Choreographies sagas = registry.choreographies();
        return new ServiceReplica.Environment(
                service + "-" + ++started,
                store,
                wire,
                wallClock(),
                harness.clock()::instant,
                sagas,
                service.equals(Trade.TRACKER) ? definitions : List.of(),
                version,
                settings,
                service.equals(Trade.TRACKER) ? metrics : new SimpleMeterRegistry(),
                new ScriptedBreakers(() -> breakersOpen));
    }

    private Clock wallClock() {
        return new ShiftedClock(harness.clock(), () -> wallClockAhead);
    }

    ServiceReplica participant(String service) {
        return Optional.ofNullable(participants.get(service)).orElseThrow();
    }

    ServiceReplica tracker() {
        return trackers.get(0);
    }

    List<ServiceReplica> trackers() {
        return trackers;
    }

    /** Opens or closes the breaker of the inventory's handlers. */
    void openBreakers(boolean open) {
        breakersOpen = open;
    }

    /** Sets the wall clocks of all hosts. No time passes. */
    void setWallClocks(Duration difference) {
        wallClockAhead = wallClockAhead.plus(difference);
    }

    /** Pauses a processor on all replicas. They notice it when they refresh their leases. */
    void pause(EventProcessor processor) {
        processor.pause();
        pass(REFRESH);
    }

    void resume(EventProcessor processor) {
        processor.resume();
        pass(REFRESH);
    }

    /** Creates an order, which starts its saga. */
    CompletableFuture<CommandResult> create(String order) {
        return create(order, tracker());
    }

    CompletableFuture<CommandResult> create(String order, ServiceReplica replica) {
        CompletableFuture<CommandResult> result = submit(order, replica);
        replica.commit();
        return result;
    }

    static CompletableFuture<CommandResult> submit(String order, ServiceReplica replica) {
        Command command = Command.keyed("orders", order).inSaga(Trade.SAGA_TYPE, saga(order));
        return replica.commands()
                .submit(command, decision -> decision.append(Trade.ORDER, order, new Trade.OrderCreated(1)));
    }

    static String saga(String order) {
        return "saga-" + order;
    }

    /** Runs every replica a few times, at the current time. */
    void settle() {
        for (int round = 0; round < ROUNDS; round++) {
            round();
        }
    }

    void round() {
        work();
        judge();
    }

    /** Runs every replica once, without the detectors. */
    void work() {
        trackers.forEach(ServiceReplica::work);
        participants.values().forEach(ServiceReplica::work);
    }

    /** Runs the detectors until nothing is left to do at the current time. */
    void judge() {
        for (ServiceReplica tracker : trackers) {
            for (int step = 0; step < 4; step++) {
                tracker.detect();
                tracker.commit();
            }
        }
    }

    /** Lets time pass at once, as if all processes were frozen, and then runs them. */
    void pass(Duration time) {
        passTime(time);
        settle();
    }

    void passTime(Duration time) {
        harness.passTime(time);
    }

    Instant now() {
        return harness.clock().instant();
    }

    /**
     * Lets time pass until a participant that is down is forgotten and the deadline has passed, without judging a saga.
     * After that, the sagas that wait for it can be judged.
     */
    void awaitAbsence(String service) {
        if (participants.containsKey(service)) {
            throw new IllegalStateException(service + " is not down");
        }
        passTime(DEADLINE);
        work();
        for (int step = 0; step < 3; step++) {
            trackers.forEach(ServiceReplica::detect);
            passTime(ABSENCE_STEP);
            work();
        }
    }

    /** Lets time pass until a participant that is down is forgotten and the deadline has passed, and judges. */
    void passAwayFrom(String service) {
        awaitAbsence(service);
        settle();
    }

    /**
     * Runs work in which the tracker crashes, and starts it again after its leases have expired.
     *
     * @return whether it has crashed
     */
    boolean crash(Runnable work) {
        try {
            work.run();
            return false;
        } catch (SimulatedCrash e) {
            restartTracker();
            passTime(BEYOND_LEASE);
            return true;
        }
    }

    SagaState saga(String order, ServiceReplica replica) {
        return replica.sagas().find(saga(order)).orElseThrow().state();
    }

    SagaState find(String order) {
        return saga(order, tracker());
    }

    /** Returns the types of all events about an order, by stream in the order of the steps, each stream in its order. */
    List<String> events(String order) {
        List<String> types = new ArrayList<>();
        List<Store> logs = List.of(harness.store(), stores.get(Trade.INVENTORY), stores.get(Trade.PAYMENT));
        logs.forEach(store -> store.eventLog().readAll(0, Integer.MAX_VALUE).stream()
                .filter(event -> event.key().equals(order))
                .map(EventMessage::type)
                .forEach(types::add));
        return types;
    }
}
