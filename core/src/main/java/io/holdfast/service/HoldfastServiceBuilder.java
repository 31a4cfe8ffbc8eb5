package io.holdfast.service;

import io.holdfast.PermanentException;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.deadline.Deadlines;
import io.holdfast.deadline.firing.Timekeeper;
import io.holdfast.event.EventLog;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.Component;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.outbox.publishing.Announcer;
import io.holdfast.outbox.publishing.OutboxPublisher;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.metrics.GaugeReads;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.stream.PositionReports;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaTimedOutEvent;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaOrchestrations;
import io.holdfast.saga.orchestration.SagaStreams;
import io.holdfast.saga.statistics.SagaStatistics;
import io.holdfast.saga.tracking.SagaRecorder;
import io.holdfast.saga.tracking.TrackingProcessor;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.AppendSignals;
import io.holdfast.wire.source.LogStreamSource;
import io.holdfast.wire.source.StreamSources;
import io.holdfast.wire.source.WireStreamSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Configures and builds a {@link HoldfastService}. Not thread-safe. */
public final class HoldfastServiceBuilder {

    /** Enough for handlers that wait for I/O. CPU-bound handlers gain nothing from more threads than cores. */
    public static final int DEFAULT_HANDLER_THREADS = 8;

    /** The default of {@link #entryTtl}. */
    public static final Duration DEFAULT_ENTRY_TTL = Duration.ofHours(24);

    /** The default of {@link #receiptTtl}. */
    public static final Duration DEFAULT_RECEIPT_TTL = OpenItems.RECEIPT_TTL;

    /** The default of {@link #resolvedEntryTtl}. */
    public static final Duration DEFAULT_RESOLVED_ENTRY_TTL = OpenItems.DEFAULT_ENTRY_TTL;

    /** The minimum of {@link #resolvedEntryTtl}: entries must outlive the actions on them. */
    public static final Duration MIN_RESOLVED_ENTRY_TTL = OpenItems.MIN_ENTRY_TTL;

    private static final Set<String> RESERVED_NAMES =
            Set.of(OutboxPublisher.NAME, Timekeeper.NAME, TrackingProcessor.NAME, SagaOrchestrations.PROCESSOR);

    final String service;
    final Store store;
    final Wire wire;
    final Set<String> ownedStreams = new LinkedHashSet<>();
    final AppendSignals appendSignals = AppendSignals.tracked();
    Clock clock = Clock.systemUTC();
    PayloadCodec codec = new PayloadCodec();
    String replica;
    Duration commandTimeout = EventSourcingController.DEFAULT_TIMEOUT;
    Duration stallTimeout = CommitterSettings.DEFAULT_STALL_TIMEOUT;
    Duration entryTtl = DEFAULT_ENTRY_TTL;
    Duration receiptTtl = DEFAULT_RECEIPT_TTL;
    Duration resolvedEntryTtl = DEFAULT_RESOLVED_ENTRY_TTL;
    MeterRegistry metrics = new CompositeMeterRegistry();
    ResilienceSettings resilience = ResilienceSettings.DEFAULT;
    IdempotencySettings idempotency = IdempotencySettings.DEFAULT;
    OutboxSettings outbox = OutboxSettings.DEFAULT;
    int handlerThreads = DEFAULT_HANDLER_THREADS;
    private @Nullable DeadlineClock deadlineClock;
    SagaSettings sagaSettings = SagaSettings.DEFAULT;
    final List<Consumer<SagaTimedOutEvent>> sagaTimeoutListeners = new ArrayList<>();
    private final List<SagaDefinition<?>> sagaDefinitions = new ArrayList<>();
    private @Nullable SagaOrchestrations orchestrations;
    private final CompensationRegistry compensations = new CompensationRegistry();
    Choreographies choreographies = compensations.choreographies();
    private String version = EventProcessorBuilder.UNKNOWN_VERSION;
    private final QueueConfiguration deadLetters = new QueueConfiguration();
    private final List<DeadLetterListener> deadLetterListeners = new ArrayList<>();
    private final List<HandlerInterceptor> interceptors = new ArrayList<>();
    private List<String> addresses = List.of();
    private final Map<String, ProcessorConfiguration> processors = new LinkedHashMap<>();
    private BiConsumer<String, ProcessorConfiguration> processorCustomizer = (name, configuration) -> {};

    HoldfastServiceBuilder(String service, Store store, Wire wire) {
        this.service = Names.require("name of service", service);
        this.store = store;
        this.wire = wire;
        this.replica = service + "-" + UUID.randomUUID();
    }

    /**
     * Adds streams that this service owns. Its own processors read them from the log; other services pull pages from
     * it.
     */
    public HoldfastServiceBuilder owns(String... streams) {
        ownedStreams.addAll(List.of(streams));
        return this;
    }

    public HoldfastServiceBuilder clock(Clock newClock) {
        this.clock = newClock;
        return this;
    }

    public HoldfastServiceBuilder codec(PayloadCodec newCodec) {
        this.codec = newCodec;
        return this;
    }

    /** Sets the name under which this replica claims leases; random by default. */
    public HoldfastServiceBuilder replica(String name) {
        this.replica = name;
        return this;
    }

    /** Sets the URLs at which this replica can be reached from outside, as shown in the service directory. */
    public HoldfastServiceBuilder addresses(String... urls) {
        this.addresses = List.of(urls);
        return this;
    }

    /**
     * Sets the maximum time that a caller waits for a command. After that, its outcome is unknown: it may still be
     * committed.
     */
    public HoldfastServiceBuilder commandTimeout(Duration timeout) {
        this.commandTimeout = requirePositive("commandTimeout", timeout);
        return this;
    }

    /**
     * Sets how long the receipt of an action is kept after the request. A receipt with open items is never deleted.
     */
    public HoldfastServiceBuilder receiptTtl(Duration ttl) {
        this.receiptTtl = requirePositive("receiptTtl", ttl);
        return this;
    }

    /**
     * Sets how long the committer may be busy with one commit. After that, the replica is not ready, refuses commands and
     * loses its segments to others, until the committer continues.
     */
    public HoldfastServiceBuilder stallTimeout(Duration timeout) {
        this.stallTimeout = requirePositive("stallTimeout", timeout);
        return this;
    }

    private Duration requirePositive(String setting, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new PermanentException(setting + " of service " + service + " must be longer than 0, but is " + time);
        }
        return time;
    }

    /** Sets how long delivered entries of outbox streams are retained at least. */
    public HoldfastServiceBuilder entryTtl(Duration ttl) {
        this.entryTtl = ttl;
        return this;
    }

    /**
     * Sets how long replayed and discarded dead-letter entries are retained; 168 h by default.
     *
     * @throws PermanentException if it is shorter than 2 h
     */
    public HoldfastServiceBuilder resolvedEntryTtl(Duration ttl) {
        if (ttl.compareTo(OpenItems.MIN_ENTRY_TTL) < 0) {
            throw new PermanentException("resolvedEntryTtl of service " + service + " must be 2 h or longer, but is "
                    + ttl + ": entries must outlive the actions on them");
        }
        this.resolvedEntryTtl = ttl;
        return this;
    }

    /** Sets the registry for the service's metrics; by default they are not recorded. */
    public HoldfastServiceBuilder metrics(MeterRegistry registry) {
        this.metrics = registry;
        return this;
    }

    /** Sets the retry and circuit breaker settings, for calls to other systems and for handlers. */
    public HoldfastServiceBuilder resilience(ResilienceSettings settings) {
        this.resilience = settings;
        return this;
    }

    /** Sets how work that has no position is deduplicated. */
    public HoldfastServiceBuilder idempotency(IdempotencySettings settings) {
        this.idempotency = settings;
        return this;
    }

    /**
     * Sets the version of the service, which definitions and causes name to tell two versions apart.
     *
     * @throws PermanentException if the version is empty or too long
     */
    public HoldfastServiceBuilder version(String serviceVersion) {
        this.version = Names.require("version of service", serviceVersion);
        return this;
    }

    /**
     * Sets the number of threads for synchronous handlers, at least one per processor. A processor may use all of them
     * while the others are idle. Handlers that hang do not take the fair share of another processor: it gets further
     * threads instead.
     */
    public HoldfastServiceBuilder handlerThreads(int threads) {
        if (threads < 1) {
            throw new PermanentException(
                    "handlerThreads of service " + service + " must be 1 or more, but is " + threads);
        }
        this.handlerThreads = threads;
        return this;
    }

    /** Configures the dead-letter queues of all processors. A processor or component can override this. */
    public HoldfastServiceBuilder deadLetters(Consumer<QueueConfiguration> configure) {
        configure.accept(deadLetters);
        return this;
    }

    /** Adds a listener for changes to parked letters. */
    public HoldfastServiceBuilder deadLetterListener(DeadLetterListener listener) {
        deadLetterListeners.add(listener);
        return this;
    }

    /**
     * Declares choreographed sagas. All services of a saga share the declaration; the service of step 0 tracks its sagas.
     * Mistakes are reported when the service is built.
     */
    public HoldfastServiceBuilder sagas(Consumer<CompensationRegistry> declare) {
        declare.accept(compensations);
        return this;
    }

    /** Declares the sagas of a registry, in addition to those declared before. */
    public HoldfastServiceBuilder sagas(CompensationRegistry registry) {
        compensations.include(registry);
        return this;
    }

    /** Adds an orchestrated saga, which this service starts and runs. */
    public HoldfastServiceBuilder saga(SagaDefinition<?> definition) {
        sagaDefinitions.add(definition);
        return this;
    }

    /** Sets how sagas time out, and how long they are kept. */
    public HoldfastServiceBuilder sagaSettings(SagaSettings settings) {
        this.sagaSettings = settings;
        return this;
    }

    /** Adds a listener for sagas that time out. It runs on the committing thread and must be short. */
    public HoldfastServiceBuilder onSagaTimeout(Consumer<SagaTimedOutEvent> listener) {
        sagaTimeoutListeners.add(listener);
        return this;
    }

    /** Adds an interceptor around every handler call, inside the interceptors added before. */
    public HoldfastServiceBuilder interceptor(HandlerInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** Sets how events are published. */
    public HoldfastServiceBuilder outbox(OutboxSettings settings) {
        this.outbox = settings;
        return this;
    }

    public HoldfastServiceBuilder processor(String name, Consumer<ProcessorConfiguration> configure) {
        if (RESERVED_NAMES.contains(name)) {
            throw new PermanentException("service " + service + " cannot have a processor named " + name
                    + ": the name is reserved for the engine");
        }
        ProcessorConfiguration configuration = new ProcessorConfiguration();
        configure.accept(configuration);
        if (processors.put(name, configuration) != null) {
            throw new PermanentException("service " + service + " has two processors named " + name);
        }
        return this;
    }

    /**
     * Adds a customizer that receives the name and configuration of every processor, after its own configuration has run.
     */
    public HoldfastServiceBuilder customizeProcessors(BiConsumer<String, ProcessorConfiguration> customizer) {
        this.processorCustomizer = processorCustomizer.andThen(customizer);
        return this;
    }

    /** Builds the service and starts its threads. */
    public HoldfastService start() {
        HoldfastService built = build();
        built.start();
        return built;
    }

    /** Builds the service without starting it; see {@link HoldfastService#start}. */
    public HoldfastService build() {
        ownedStreams.add(Deadlines.stream(service));
        if (!sagaDefinitions.isEmpty()) {
            ownedStreams.add(SagaStreams.of(service));
        }
        choreographies = compensations.validate(service, ownedStreams);
        deadlineClock = new DeadlineClock(service, store.tokenStore()::time, clock);
        addSagaTracking();
        addOrchestrations();
        processors.forEach(processorCustomizer);
        return new HoldfastService(this);
    }

    /** Adds the processor that records the events of the sagas that this service tracks. */
    private void addSagaTracking() {
        List<Choreography> tracked = choreographies.trackedBy(service);
        Set<String> streams = TrackingProcessor.streams(tracked);
        if (!streams.isEmpty()) {
            Component component = TrackingProcessor.component(tracked, sagaRecorder(), sagaSettings);
            ProcessorConfiguration configuration = new ProcessorConfiguration()
                    .reads(streams.toArray(String[]::new))
                    .calls(component)
                    .startsAt(StartAt.at(clock.instant().minus(TrackingProcessor.START_MARGIN)))
                    .sequencedBy(SequencingPolicy.sagaId())
                    .settings(settings -> settings.segments(TrackingProcessor.SEGMENTS)
                            .commitInterval(TrackingProcessor.COMMIT_INTERVAL));
            processors.put(TrackingProcessor.NAME, configuration);
        }
    }

    /** Adds the processor that runs the orchestrated sagas. */
    private void addOrchestrations() {
        SagaOrchestrations running = new SagaOrchestrations(
                service,
                sagaDefinitions,
                ownedStreams,
                codec,
                sagaSettings,
                new SagaStateStore(store.viewStore(), codec),
                wire,
                requireDeadlineClock()::now,
                handlerThreads);
        orchestrations = running;
        if (!running.components().isEmpty()) {
            Set<String> streams = new LinkedHashSet<>(SagaOrchestrations.replyStreams(sagaDefinitions));
            streams.add(SagaStreams.of(service));
            ProcessorConfiguration configuration = new ProcessorConfiguration()
                    .reads(streams.toArray(String[]::new))
                    .startsAt(StartAt.at(clock.instant().minus(TrackingProcessor.START_MARGIN)))
                    .sequencedBy(SequencingPolicy.sagaId())
                    .settings(settings -> settings.segments(SagaOrchestrations.SEGMENTS));
            running.components().forEach(configuration::calls);
            processors.put(SagaOrchestrations.PROCESSOR, configuration);
        }
    }

    SagaOrchestrations requireOrchestrations() {
        return Objects.requireNonNull(orchestrations, "the service is not built yet");
    }

    /** Returns what completes and records the events of declared sagas. */
    SagaRecorder sagaRecorder() {
        return new SagaRecorder(service, choreographies, sagaSettings, requireDeadlineClock()::now);
    }

    /** Returns what measures the sagas that this service tracks or runs; empty if there are none. */
    Optional<SagaStatistics> sagaStatistics(GroupCommitter committer) {
        List<String> types = Stream.concat(
                        choreographies.trackedBy(service).stream().map(Choreography::type),
                        sagaDefinitions.stream().map(SagaDefinition::name))
                .toList();
        if (types.isEmpty()) {
            return Optional.empty();
        }
        SagaStatistics statistics = new SagaStatistics(
                service,
                types,
                committer,
                store.viewStore(),
                codec,
                new SagaStatistics.Clocks(clock, requireDeadlineClock()::now));
        statistics.listen(SagaView.of(sagaSettings), metrics);
        return Optional.of(statistics);
    }

    DeadlineClock requireDeadlineClock() {
        return Objects.requireNonNull(deadlineClock, "the service is not built yet");
    }

    /** Returns the processors that read each stream. */
    Map<String, Set<String>> streamReaders() {
        Map<String, Set<String>> readers = new LinkedHashMap<>();
        processors.forEach((name, configuration) -> configuration.streams.forEach(
                stream -> readers.computeIfAbsent(stream, unknown -> new LinkedHashSet<>())
                        .add(name)));
        return readers;
    }

    Map<String, EventProcessor> buildProcessors(
            EventLog log,
            ProcessorStores stores,
            OpenItems openItems,
            ServiceResilience operations,
            HandlerThreads threads) {
        Map<String, EventProcessor> built = new LinkedHashMap<>();
        GaugeReads gaugeReads = new GaugeReads(clock);
        processors.forEach((name, configuration) -> {
            EventProcessorBuilder builder = new EventProcessorBuilder(service, name, replica, stores, codec, clock)
                    .options(configuration)
                    .version(version)
                    .resilience(resilience, operations.invoker(), operations.probes())
                    .threads(threads.share(name, handlerLimit(configuration, threads.threads())))
                    .metrics(metrics)
                    .gaugeReads(gaugeReads)
                    .openItems(openItems)
                    .ownLog(log)
                    .deadLetters(deadLetters)
                    .deadLetters(configuration.deadLetters);
            deadLetterListeners.forEach(builder::deadLetterListener);
            interceptors.forEach(builder::interceptor);
            sources(log, name, configuration).forEach(builder::reads);
            built.put(name, builder.build());
        });
        return built;
    }

    /** Returns one per processor or more, because those that write application rows divide the threads. */
    int effectiveHandlerThreads() {
        return Math.max(handlerThreads, processors.size());
    }

    /**
     * Returns how many handler threads a processor may use at most. If it writes application rows, each of them holds a
     * database connection, so all such processors together use no more of them than there are threads.
     */
    private int handlerLimit(ProcessorConfiguration configuration, int threads) {
        long writers = processors.values().stream()
                .filter(ProcessorConfiguration::writesApplicationRows)
                .count();
        return configuration.writesApplicationRows() ? (int) (threads / writers) : threads;
    }

    /** Sources are created per processor. All of them use the same consumer group name. */
    private Map<String, StreamSources> sources(EventLog log, String processor, ProcessorConfiguration configuration) {
        String group = service + "/" + processor;
        StreamSources own = LogStreamSource.of(log, appendSignals, store.consumerGroups(), group);
        StreamSources others = WireStreamSource.of(wire, group, clock);
        Map<String, StreamSources> sources = new LinkedHashMap<>();
        configuration.streams.forEach(stream -> sources.put(stream, ownedStreams.contains(stream) ? own : others));
        return sources;
    }

    boolean writesApplicationRows() {
        return processors.values().stream().anyMatch(ProcessorConfiguration::writesApplicationRows);
    }

    List<PositionReports> buildReports(EventLog log) {
        return processors.entrySet().stream()
                .map(entry -> new PositionReports(
                        store.tokenStore(), entry.getKey(), sources(log, entry.getKey(), entry.getValue())))
                .toList();
    }

    Announcer buildAnnouncer() {
        List<String> components = processors.entrySet().stream()
                .flatMap(entry -> entry.getValue().componentNames().stream()
                        .map(component -> service + "/" + entry.getKey() + "/" + component))
                .toList();
        return new Announcer(store.eventLog(), wire, service, replica, addresses, ownedStreams, components);
    }

    List<String> ownStreams(String processor) {
        return Objects.requireNonNull(processors.get(processor)).streams.stream()
                .filter(ownedStreams::contains)
                .toList();
    }

    List<String> remoteStreams(String processor) {
        return Objects.requireNonNull(processors.get(processor)).streams.stream()
                .filter(stream -> !ownedStreams.contains(stream))
                .toList();
    }
}
