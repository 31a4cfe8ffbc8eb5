package io.holdfast.tck.saga;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.ScriptedBreakers;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StoreHarness;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The world of a simulation with sagas: a tracker on the store under test, two participants in memory, two replicas of
 * each, and the wire between them. Nothing runs unless a step runs it.
 */
final class SimulatedTrade implements AutoCloseable {

    static final int REPLICAS = 2;

    /** Longer than every backoff of a letter and every pause between two questions about letters. */
    private static final Duration LONG_ROUND = Duration.ofMinutes(6);

    private static final Duration SHORT_ROUND = Duration.ofSeconds(4);
    private static final int SHORT_ROUNDS = 16;
    /** Until every processor has its start position. Older versions come later, and miss nothing that it reads. */
    private static final int FIRST_STEPS = 3;

    private static final int MIN_ROUNDS = 2;
    private static final int MAX_ROUNDS = 120;
    /** What happens after a saga has ended must not change it. */
    private static final int LAST_ROUNDS = 2;

    final TradeHandlers handlers = new TradeHandlers();
    final InMemoryWire wire;
    final MeterRegistry metrics = new SimpleMeterRegistry();
    final SagaSettings settings = SagaSettings.DEFAULT.withDefaultDeadline(SagaWorld.DEADLINE);
    final TradeInvariants invariants;
    private final StoreHarness harness;
    private final Map<String, SimulatedService> services = new LinkedHashMap<>();
    private final Set<String> discarded = new TreeSet<>();
    private final Set<String> failedCancellations = new TreeSet<>();
    private final Set<ServiceReplica> askedBefore = new LinkedHashSet<>();
    private CrashPoints running = new CrashPoints();
    private boolean connected = true;
    private boolean breakersOpen;
    private boolean cancellationFails;
    private boolean hasVersionWithoutSagas;
    private int trackerCrashes;
    private int cancellations;
    private int started;

    SimulatedTrade(StoreHarness harness) {
        this.harness = harness;
        this.wire = InMemoryWire.singleThreaded(1_000, harness.clock(), new CommitPoint.Observer() {
            @Override
            public void before(CommitPoint point) {
                running.before(point);
            }

            @Override
            public void after(CommitPoint point) {
                running.after(point);
            }
        });
        add(Trade.TRACKER, List.of(harness.store(), harness.replica()), harness.crashPoints());
        addParticipant(Trade.INVENTORY);
        addParticipant(Trade.PAYMENT);
        this.invariants = new TradeInvariants(this);
        services.values().forEach(SimulatedService::startAll);
        for (int step = 0; step < FIRST_STEPS; step++) {
            services.values().forEach(service -> service.live().forEach(ServiceReplica::work));
        }
    }

    private void addParticipant(String service) {
        CrashPoints crashPoints = new CrashPoints();
        Store store = new InMemoryStore(service, harness.clock(), crashPoints);
        add(service, List.of(store, store), crashPoints);
    }

    private void add(String service, List<Store> stores, CrashPoints crashPoints) {
        services.put(service, new SimulatedService(service, stores, crashPoints, this::newReplica));
    }

    private ServiceReplica newReplica(SimulatedService service, Store store) {
        TradeVersion version = service.starting();
        hasVersionWithoutSagas |= !version.knowsSagas();
        return new ServiceReplica(
                handlers.blueprint(service.name(), version.lacking()),
                new ServiceReplica.Environment(
                        service.name() + "-" + ++started,
                        store,
                        wire,
                        harness.clock(),
                        harness.clock()::instant,
                        sagas(version),
                        List.of(),
                        "1",
                        settings,
                        service.name().equals(Trade.TRACKER) ? metrics : new SimpleMeterRegistry(),
                        new ScriptedBreakers(() -> breakersOpen)));
    }

    private Choreographies sagas(TradeVersion version) {
        CompensationRegistry registry = new CompensationRegistry();
        if (version.knowsSagas()) {
            Trade.declare(registry, this::cancel);
        }
        return registry.choreographies();
    }

    private void cancel(SagaState saga, DecisionContext decision) {
        if (cancellationFails) {
            failedCancellations.add(saga.sagaId());
            throw new IllegalStateException("the local compensation fails, as scripted");
        }
        Trade.cancel(saga, decision);
    }

    SimulatedService service(String name) {
        return Objects.requireNonNull(services.get(name));
    }

    Collection<SimulatedService> services() {
        return services.values();
    }

    Instant now() {
        return harness.clock().instant();
    }

    void passTime(Duration time) {
        harness.passTime(time);
    }

    void openBreakers(boolean open) {
        breakersOpen = open;
    }

    void failCancellations(boolean failing) {
        cancellationFails = failing;
    }

    /** Runs work at a replica, if it is up. A replica that crashes is restarted. */
    void at(String service, int slot, Consumer<ServiceReplica> work) {
        SimulatedService at = service(service);
        at.replica(slot).ifPresent(replica -> {
            running = at.crashPoints();
            try {
                work.accept(replica);
            } catch (SimulatedCrash e) {
                trackerCrashes += service.equals(Trade.TRACKER) ? 1 : 0;
                at.restart(slot);
            }
        });
    }

    /** Cancels an order, as a customer or an operator does. */
    void cancel(String order, ServiceReplica replica) {
        var unused = replica.commands()
                .submit(
                        Command.keyed("cancel", order + "/" + ++cancellations)
                                .inSaga(Trade.SAGA_TYPE, SagaWorld.saga(order)),
                        decision -> Trade.cancel(order, "changed my mind", decision));
    }

    /** Lets a detector run once. Its question and its judgement may be many steps apart. */
    void detect(ServiceReplica tracker) {
        askedBefore.add(tracker);
        var unused = tracker.detect();
    }

    /** Lets a detector hear, ask and judge at once. */
    void judge(ServiceReplica tracker) {
        tracker.commit();
        Runnable check = askedBefore.contains(tracker) ? () -> {} : invariants.judgement(tracker);
        for (int run = 0; run < 3; run++) {
            var unused = tracker.detect();
            tracker.commit();
        }
        check.run();
    }

    /** Discards a letter. Its saga then may end differently, or wait forever, but visibly. */
    void discard(SimulatedService service, ServiceReplica replica, int which) {
        List<SimulatedService.Parked> letters = service.letters(replica);
        if (!letters.isEmpty()) {
            SimulatedService.Parked parked = letters.get(which % letters.size());
            discarded.add(parked.letter().message().key());
            replica.processor().deadLetterQueue(parked.component()).evict(parked.letter());
        }
    }

    /** Takes the wire down, or up again. */
    void connect(boolean up) {
        connected = up;
        if (up) {
            wire.reconnect();
        } else {
            wire.disconnect();
        }
    }

    boolean isConnected() {
        return connected;
    }

    /** Publishes all events of a service again. */
    void redeliver(String service) {
        try {
            wire.publish(service(service).store().eventLog().readAll(0, Integer.MAX_VALUE));
        } catch (RetryableException | SimulatedCrash e) {
            // the wire is down, or the replica that publishes crashes
        }
    }

    /** Returns whether an operator has discarded a letter of this order. */
    boolean isDiscarded(String order) {
        return discarded.contains(order);
    }

    boolean hasFailedCancellation(String sagaId) {
        return failedCancellations.contains(sagaId);
    }

    boolean hasVersionWithoutSagas() {
        return hasVersionWithoutSagas;
    }

    boolean hasTrackerCrashed() {
        return trackerCrashes > 0;
    }

    /** Ends all faults, deploys the current version everywhere, and lets time pass until every saga has ended or waits. */
    void heal() {
        services.values().forEach(service -> service.crashPoints().clear());
        connect(true);
        handlers.repair();
        breakersOpen = false;
        cancellationFails = false;
        services.values().forEach(SimulatedService::upgradeAll);
        services.values().forEach(service -> service.live().forEach(replica -> replica.processors()
                .forEach(processor -> replica.processor(processor).resume())));
        passTime(SagaWorld.BEYOND_LEASE);
        for (int round = 0; round < MIN_ROUNDS || !invariants.isSettled(); round++) {
            if (round == MAX_ROUNDS) {
                throw new AssertionError("sagas neither end nor wait visibly:" + invariants.describe());
            }
            runRound(round);
        }
        for (int round = 0; round < LAST_ROUNDS; round++) {
            runRound(round);
        }
    }

    private void runRound(int round) {
        services.values().forEach(service -> {
            for (int slot = 0; slot < REPLICAS; slot++) {
                at(service.name(), slot, ServiceReplica::work);
            }
            at(service.name(), round % REPLICAS, service::replayAll);
        });
        at(Trade.TRACKER, round % REPLICAS, this::judge);
        invariants.check();
        passTime(round < SHORT_ROUNDS ? SHORT_ROUND : LONG_ROUND);
    }

    @Override
    public void close() {
        services.values().forEach(SimulatedService::stopAll);
        harness.close();
    }
}
