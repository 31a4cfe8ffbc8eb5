package io.holdfast.service;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.event.AppendSignals;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.outbox.OutboxPublisher;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.outbox.Retention;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.GaugeReads;
import io.holdfast.processing.HandlerInterceptor;
import io.holdfast.processing.PositionReports;
import io.holdfast.processing.ProcessorStores;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.wire.LogStreamSource;
import io.holdfast.wire.StreamSources;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireStreamSource;
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
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Says what a service owns and which processors it has. */
public final class HoldfastServiceBuilder {

    /** Enough for handlers that wait for others; those that compute are not quicker with more threads than cores. */
    public static final int DEFAULT_HANDLER_THREADS = 8;

    final String service;
    final Store store;
    final Wire wire;
    final Set<String> ownedStreams = new LinkedHashSet<>();
    final AppendSignals appendSignals = AppendSignals.tracked();
    Clock clock = Clock.systemUTC();
    PayloadCodec codec = new PayloadCodec();
    String replica;
    Duration entryTtl = Retention.DEFAULT_ENTRY_TTL;
    MeterRegistry metrics = new CompositeMeterRegistry();
    ResilienceSettings resilience = ResilienceSettings.DEFAULT;
    IdempotencySettings idempotency = IdempotencySettings.DEFAULT;
    OutboxSettings outbox = OutboxSettings.DEFAULT;
    int handlerThreads = DEFAULT_HANDLER_THREADS;
    private final QueueConfiguration deadLetters = new QueueConfiguration();
    private final List<DeadLetterListener> deadLetterListeners = new ArrayList<>();
    private final List<HandlerInterceptor> interceptors = new ArrayList<>();
    private List<String> addresses = List.of();
    private final Map<String, ProcessorConfiguration> processors = new LinkedHashMap<>();
    private BiConsumer<String, ProcessorConfiguration> processorCustomizer = (name, definition) -> {};

    HoldfastServiceBuilder(String service, Store store, Wire wire) {
        this.service = Names.require("name of service", service);
        this.store = store;
        this.wire = wire;
        this.replica = service + "-" + UUID.randomUUID();
    }

    /** Streams that this service writes. Its own processors read them from the log, others ask it for pages. */
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

    /** The name under which this replica takes leases; random unless set. */
    public HoldfastServiceBuilder replica(String name) {
        this.replica = name;
        return this;
    }

    /** Where this replica can be reached from outside; shown in the service directory. */
    public HoldfastServiceBuilder addresses(String... urls) {
        this.addresses = List.of(urls);
        return this;
    }

    /** How long delivered entries of row-kept streams stay at least. */
    public HoldfastServiceBuilder entryTtl(Duration ttl) {
        this.entryTtl = ttl;
        return this;
    }

    /** Where the service counts and measures; nowhere unless set. */
    public HoldfastServiceBuilder metrics(MeterRegistry registry) {
        this.metrics = registry;
        return this;
    }

    /** How failures are retried and breakers open, in calls to others and in handlers. */
    public HoldfastServiceBuilder resilience(ResilienceSettings settings) {
        this.resilience = settings;
        return this;
    }

    /** How work without a position is recognised when it comes again. */
    public HoldfastServiceBuilder idempotency(IdempotencySettings settings) {
        this.idempotency = settings;
        return this;
    }

    /** How many handlers of all processors run at once at most. */
    public HoldfastServiceBuilder handlerThreads(int threads) {
        if (threads < 1) {
            throw new PermanentException(
                    "handler threads of service " + service + " must be 1 or more, but are " + threads);
        }
        this.handlerThreads = threads;
        return this;
    }

    /** How what fails is parked, in all processors; each of them and each component may say otherwise. */
    public HoldfastServiceBuilder deadLetters(Consumer<QueueConfiguration> configure) {
        configure.accept(deadLetters);
        return this;
    }

    /** Tells what becomes of parked events. */
    public HoldfastServiceBuilder deadLetterListener(DeadLetterListener listener) {
        deadLetterListeners.add(listener);
        return this;
    }

    /** Stands around every call of a handler, within those that were given before. */
    public HoldfastServiceBuilder interceptor(HandlerInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** How events are published. */
    public HoldfastServiceBuilder outbox(OutboxSettings settings) {
        this.outbox = settings;
        return this;
    }

    public HoldfastServiceBuilder processor(String name, Consumer<ProcessorConfiguration> define) {
        if (name.equals(OutboxPublisher.NAME)) {
            throw new PermanentException("service " + service + " cannot have a processor named " + name
                    + ": the position of its publisher is kept under that name");
        }
        ProcessorConfiguration definition = new ProcessorConfiguration();
        define.accept(definition);
        if (processors.put(name, definition) != null) {
            throw new PermanentException("service " + service + " has two processors named " + name);
        }
        return this;
    }

    /** Says more of every processor, by its name, when all that defines it is said: it has the last word. */
    public HoldfastServiceBuilder customizeProcessors(BiConsumer<String, ProcessorConfiguration> more) {
        this.processorCustomizer = processorCustomizer.andThen(more);
        return this;
    }

    /** Builds the service and starts its threads. */
    public HoldfastService start() {
        HoldfastService built = build();
        built.start();
        return built;
    }

    /** Builds the service, which does nothing until it is {@linkplain HoldfastService#start started}. */
    public HoldfastService build() {
        processors.forEach(processorCustomizer);
        return new HoldfastService(this);
    }

    Map<String, EventProcessor> buildProcessors(
            ProcessorStores stores, ServiceResilience operations, Executor threads) {
        Map<String, EventProcessor> built = new LinkedHashMap<>();
        GaugeReads answers = new GaugeReads(clock);
        processors.forEach((name, definition) -> {
            EventProcessorBuilder builder = new EventProcessorBuilder(service, name, replica, stores, codec, clock)
                    .settings(definition.settings)
                    .sequencedBy(definition.policy)
                    .resilience(resilience, operations.invoker(), operations.probes())
                    .threads(threads)
                    .metrics(metrics)
                    .gaugeReads(answers)
                    .deadLetters(deadLetters)
                    .deadLetters(definition.deadLetters);
            deadLetterListeners.forEach(builder::deadLetterListener);
            interceptors.forEach(builder::interceptor);
            sources(name, definition).forEach(builder::reads);
            definition.components.forEach(builder::calls);
            definition.retired.forEach(builder::retires);
            Optional.ofNullable(definition.start).ifPresent(builder::startsAt);
            Optional.ofNullable(definition.formerPolicy).ifPresent(builder::formerlySequencedBy);
            built.put(name, builder.build());
        });
        return built;
    }

    /** A processor's sources are its own; its group is known under one name to all of them. */
    private Map<String, StreamSources> sources(String processor, ProcessorConfiguration definition) {
        String group = service + "/" + processor;
        StreamSources own = LogStreamSource.of(store.eventLog(), appendSignals, store.consumerGroups(), group);
        StreamSources others = WireStreamSource.of(wire, group);
        Map<String, StreamSources> sources = new LinkedHashMap<>();
        definition.streams.forEach(stream -> sources.put(stream, ownedStreams.contains(stream) ? own : others));
        return sources;
    }

    List<PositionReports> buildReports() {
        return processors.entrySet().stream()
                .map(entry -> new PositionReports(
                        store.tokenStore(), entry.getKey(), sources(entry.getKey(), entry.getValue())))
                .toList();
    }

    Announcer buildAnnouncer() {
        List<String> components = processors.entrySet().stream()
                .flatMap(entry -> entry.getValue().components.stream()
                        .map(component -> service + "/" + entry.getKey() + "/" + component.name()))
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
