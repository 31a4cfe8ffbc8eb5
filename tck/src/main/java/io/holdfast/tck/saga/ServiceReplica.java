package io.holdfast.tck.saga;

import io.holdfast.commit.group.CommitEngine;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.outbox.publishing.Announcer;
import io.holdfast.outbox.publishing.OutboxMetrics;
import io.holdfast.outbox.publishing.OutboxPublisher;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaTimedOutEvent;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.orchestration.SagaActions;
import io.holdfast.saga.orchestration.SagaAwaits;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaOrchestrations;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import io.holdfast.saga.orchestration.SagaStreams;
import io.holdfast.saga.statistics.SagaStatistics;
import io.holdfast.saga.tracking.LetterQuestion;
import io.holdfast.saga.tracking.SagaRecorder;
import io.holdfast.saga.tracking.SagaTracking;
import io.holdfast.saga.tracking.TrackingProcessor;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.ScriptedBreakers;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.OperationDispatcher;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.AppendSignals;
import io.holdfast.wire.source.LogStreamServer;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.StreamSources;
import io.holdfast.wire.source.WireStreamSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a service, without threads: a test runs its parts step by step. It is wired like
 * {@link io.holdfast.service.HoldfastService}. To simulate a crash, drop it after {@link #disconnect}.
 */
final class ServiceReplica {

    private static final int SEGMENTS = 2;

    /** Shared: what it learns about a class takes longer than a whole run of a simulation. */
    static final PayloadCodec CODEC = new PayloadCodec();

    /** Without jitter, so that a simulation can be repeated. */
    private static final ResilienceSettings RESILIENCE =
            ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0));

    private final ServiceBlueprint blueprint;
    private final Environment environment;
    private final EventLog log;
    private final GroupCommitter committer;
    private final EventSourcingController commands;
    private final OutboxPublisher publisher;
    private final Announcer announcer;
    private final Map<String, EventProcessor> processors = new LinkedHashMap<>();
    private final List<Wire.Registration> registrations = new ArrayList<>();
    private final SagaStateStore sagas;
    private final List<SagaTimedOutEvent> timeouts = new ArrayList<>();
    private final @Nullable DueTask detector;
    private final SagaStatistics statistics;
    private final Map<String, Set<String>> readers = new LinkedHashMap<>();
    private final Set<String> owned;
    private final SagaOrchestrator orchestrator;
    private final SagaActions actions;

    ServiceReplica(ServiceBlueprint blueprint, Environment environment) {
        this.blueprint = blueprint;
        this.environment = environment;
        this.owned = ownedStreams(blueprint, environment);
        Store store = environment.store;
        CommitEngine engine = CommitEngine.of(
                CommitterSettings.of(blueprint.service()).owning(owned),
                store.commitStore(),
                store.eventLog(),
                store.viewStore(),
                CODEC,
                environment.clock,
                environment.metrics);
        this.log = engine.eventLog();
        this.committer = engine.committer();
        this.commands = new EventSourcingController(blueprint.service(), committer, engine.states(), log);
        this.publisher = publisher(engine.tail());
        this.announcer = new Announcer(
                log, environment.wire, blueprint.service(), environment.replica, List.of(), owned, List.of());
        this.sagas = new SagaStateStore(store.viewStore(), CODEC);
        this.statistics = newStatistics();
        SagaRecorder recorder = new SagaRecorder(
                blueprint.service(), environment.sagas, environment.settings, environment.deadlineTime);
        committer.intercept(recorder);
        SagaOrchestrations orchestrations = orchestrations(environment.definitions);
        SagaTracking tracking =
                new SagaTracking(blueprint.service(), environment.sagas, environment.settings, orchestrations.judged());
        addProcessor(ServiceBlueprint.PROCESSOR, blueprint.reads(), List.of(blueprint.component()), builder -> builder);
        this.orchestrator = new SagaOrchestrator(commands, orchestrations, new SagaAwaits(sagas));
        this.actions = new SagaActions(commands, orchestrations, environment.sagas, environment.settings, sagas);
        addOrchestrations(orchestrations);
        if (!tracking.isNeeded()) {
            this.detector = null;
        } else {
            addTracking(tracking, recorder);
            tracking.listen(committer, environment.metrics, sagas, due -> {}, timeouts::add);
            statistics.listen(SagaView.of(environment.settings), environment.metrics);
            this.detector = detector(tracking);
        }
        serve();
    }

    private SagaStatistics newStatistics() {
        return new SagaStatistics(
                blueprint.service(),
                List.of(Trade.SAGA_TYPE),
                committer,
                environment.store.viewStore(),
                CODEC,
                new SagaStatistics.Clocks(environment.clock, environment.deadlineTime));
    }

    private static Set<String> ownedStreams(ServiceBlueprint blueprint, Environment environment) {
        Set<String> streams = new LinkedHashSet<>(blueprint.owns());
        if (!environment.definitions.isEmpty()) {
            streams.add(SagaStreams.of(blueprint.service()));
        }
        return streams;
    }

    private SagaOrchestrations orchestrations(Collection<SagaDefinition<?>> definitions) {
        return new SagaOrchestrations(
                blueprint.service(),
                definitions,
                owned,
                CODEC,
                environment.settings,
                sagas,
                environment.wire,
                environment.deadlineTime,
                1);
    }

    private void addOrchestrations(SagaOrchestrations orchestrations) {
        if (!orchestrations.components().isEmpty()) {
            Set<String> streams = new LinkedHashSet<>(SagaOrchestrations.replyStreams(environment.definitions));
            streams.add(SagaStreams.of(blueprint.service()));
            addProcessor(
                    SagaOrchestrations.PROCESSOR, streams, orchestrations.components(), builder -> builder.sequencedBy(
                                    SequencingPolicy.sagaId())
                            .startsAt(StartAt.at(environment.clock.instant().minus(TrackingProcessor.START_MARGIN))));
        }
    }

    private OutboxPublisher publisher(TailRecovery tail) {
        Store store = environment.store;
        return new OutboxPublisher(
                log,
                AppendSignals.untracked(),
                store.outboxStore(),
                environment.wire,
                store.tokenStore(),
                committer,
                environment.replica,
                environment.clock,
                OutboxSettings.DEFAULT,
                new OutboxMetrics(environment.metrics, () -> 0),
                tail);
    }

    private void addTracking(SagaTracking tracking, SagaRecorder recorder) {
        if (tracking.tracked().isEmpty()) {
            return;
        }
        Component facts = TrackingProcessor.component(tracking.tracked(), recorder, environment.settings);
        Set<String> streams = TrackingProcessor.streams(tracking.tracked());
        addProcessor(TrackingProcessor.NAME, streams, List.of(facts), builder -> builder.sequencedBy(
                        SequencingPolicy.sagaId())
                .startsAt(StartAt.at(environment.clock.instant().minus(TrackingProcessor.START_MARGIN))));
    }

    private void addProcessor(
            String name,
            Collection<String> streams,
            List<Component> components,
            UnaryOperator<EventProcessorBuilder> configure) {
        Store store = environment.store;
        String group = blueprint.service() + "/" + name;
        StreamSources own = LogStreamSource.of(log, store.consumerGroups(), group);
        StreamSources others = WireStreamSource.of(environment.wire, group, environment.clock);
        EventProcessorBuilder builder = new EventProcessorBuilder(
                        blueprint.service(),
                        name,
                        environment.replica,
                        new ProcessorStores(
                                store.tokenStore(),
                                store.deadLetterStore(),
                                store.actionStore(),
                                store.unitTransactions(),
                                committer),
                        CODEC,
                        environment.clock)
                .resilience(RESILIENCE, environment.breakers, new BreakerProbes(RESILIENCE))
                .version(environment.version)
                .settings(ProcessorSettings.DEFAULT.segments(SEGMENTS));
        components.forEach(builder::calls);
        streams.forEach(stream -> {
            builder.reads(stream, owned.contains(stream) ? own : others);
            readers.computeIfAbsent(stream, unknown -> new LinkedHashSet<>()).add(name);
        });
        processors.put(name, configure.apply(builder).build());
    }

    private DueTask detector(SagaTracking tracking) {
        Store store = environment.store;
        return tracking.detector(
                environment.replica,
                environment.wire,
                store.tokenStore(),
                store.viewStore(),
                store.deadLetterStore(),
                committer,
                CODEC,
                new OperationClient(environment.wire, environment.clock),
                owned,
                readers,
                () -> {});
    }

    private void serve() {
        Wire wire = environment.wire;
        Store store = environment.store;
        OperationDispatcher operations = new OperationDispatcher();
        registrations.add(wire.serve(owned, new LogStreamServer(log, store.consumerGroups())));
        registrations.add(operations.register(
                LetterQuestion.OPERATION, request -> LetterQuestion.answer(request, store.deadLetterStore())));
        registrations.add(wire.serveOperations(blueprint.service(), environment.replica, operations));
    }

    /** Ends what the wire knows of this replica, as the end of its process does. */
    void disconnect() {
        registrations.forEach(Wire.Registration::close);
    }

    /** Does everything that can be done now, once, except judging sagas. */
    void work() {
        announce();
        commit();
        process();
        commit();
        publish();
    }

    void announce() {
        announcer.step();
    }

    /** Lets all processors run once, without committing what they have done. */
    void process() {
        processors.values().forEach(EventProcessor::step);
    }

    void publish() {
        publisher.step();
    }

    /** Lets the detector run once, without committing what it decides. */
    Optional<Instant> detect() {
        return detector == null ? Optional.empty() : detector.run(environment.deadlineTime.get());
    }

    /**
     * Commits all waiting units.
     *
     * @return the number of commits
     */
    int commit() {
        int commits = 0;
        while (committer.commitWaiting() > 0) {
            commits++;
        }
        return commits;
    }

    /** Starts orchestrated sagas. A test that runs steps itself must not wait for them. */
    SagaOrchestrator orchestrator() {
        return orchestrator;
    }

    /** Checks, as the start of a service does, that a definition has all steps of the running sagas. */
    void requireSteps(SagaDefinition<?> definition) {
        orchestrations(List.of(definition)).requireStepsOfRunningSagas();
    }

    SagaActions actions() {
        return actions;
    }

    SagaStatistics statistics() {
        return statistics;
    }

    EventSourcingController commands() {
        return commands;
    }

    SagaStateStore sagas() {
        return sagas;
    }

    /** Returns the name under which it announces itself. */
    String name() {
        return environment.replica;
    }

    /** Returns the names of the processors that run on this version. */
    Set<String> processors() {
        return processors.keySet();
    }

    EventProcessor processor(String name) {
        return Optional.ofNullable(processors.get(name)).orElseThrow();
    }

    EventProcessor processor() {
        return processor(ServiceBlueprint.PROCESSOR);
    }

    EventLog log() {
        return log;
    }

    Store store() {
        return environment.store;
    }

    /** Returns the timeouts that this replica has reported. */
    List<SagaTimedOutEvent> timeouts() {
        return timeouts;
    }

    /**
     * What a replica gets from outside.
     *
     * @param replica unique; a restarted replica gets a new name
     * @param clock stamps events
     * @param definitions the orchestrated sagas that it runs
     * @param version the version of the service
     * @param deadlineTime the time on which deadlines are set and judged
     */
    record Environment(
            String replica,
            Store store,
            Wire wire,
            Clock clock,
            Supplier<Instant> deadlineTime,
            Choreographies sagas,
            Collection<SagaDefinition<?>> definitions,
            String version,
            SagaSettings settings,
            MeterRegistry metrics,
            ScriptedBreakers breakers) {}
}
