package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventLog;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.Component;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.parking.BoundComponent;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.parking.FailurePolicy;
import io.holdfast.processing.metrics.GaugeReads;
import io.holdfast.processing.metrics.ParkingNotifier;
import io.holdfast.processing.metrics.ProcessorMetrics;
import io.holdfast.processing.metrics.QueueMetrics;
import io.holdfast.processing.replay.KeyOrder;
import io.holdfast.processing.segment.HandlerRuntime;
import io.holdfast.processing.segment.ParkingRuntime;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.segment.ProcessorIdentity;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.wire.source.StreamSources;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Configures an {@link EventProcessor}: its streams, its components and how it works. */
public final class EventProcessorBuilder extends ProcessorOptions<EventProcessorBuilder> {

    /** The version of a service that declares none. */
    public static final String UNKNOWN_VERSION = "unknown";

    final String service;
    final String name;
    final String replica;
    final Clock clock;
    final Map<String, StreamSources> streams = new LinkedHashMap<>();
    private final ProcessorStores stores;
    private String version = UNKNOWN_VERSION;
    private final PayloadCodec codec;
    private ResilienceSettings resilience = ResilienceSettings.DEFAULT;
    private Breakers breakers = Breakers.NONE;
    private @Nullable BreakerProbes probes;
    private Executor threads = Runnable::run;
    private MeterRegistry metrics = new CompositeMeterRegistry();
    private GaugeReads gaugeReads;
    private @Nullable OpenItems openItems;
    private @Nullable EventLog ownLog;
    private final List<DeadLetterListener> listeners = new ArrayList<>();
    private final List<HandlerInterceptor> interceptors = new ArrayList<>();
    private final List<QueueConfiguration> queues = new ArrayList<>();

    /**
     * @param name unique within the service, and stable for as long as the position matters
     * @param replica the id of this replica, unique among all replicas
     */
    public EventProcessorBuilder(
            String service, String name, String replica, ProcessorStores stores, PayloadCodec codec, Clock clock) {
        this.service = Names.require("name of service", service);
        this.name = Names.require("name of processor", name);
        this.replica = replica;
        this.stores = stores;
        this.gaugeReads = new GaugeReads(clock);
        this.codec = codec;
        this.clock = clock;
    }

    @Override
    protected EventProcessorBuilder self() {
        return this;
    }

    /** Copies the options, which replace those of this builder. */
    public EventProcessorBuilder options(ProcessorOptions<?> options) {
        components.clear();
        components.addAll(options.components);
        retired.clear();
        retired.addAll(options.retired);
        start = options.start;
        settings = options.settings;
        policy = options.policy;
        formerPolicy = options.formerPolicy;
        return this;
    }

    /** Sets the version of the service, which definitions and causes name. */
    public EventProcessorBuilder version(String serviceVersion) {
        this.version = serviceVersion;
        return this;
    }

    /** Reads a stream from sources that only this processor uses. */
    public EventProcessorBuilder reads(String stream, StreamSources sources) {
        streams.put(Names.require("stream", stream), sources);
        return this;
    }

    /** Reads a stream from a single source, which serves all segments. */
    public EventProcessorBuilder reads(String stream, StreamSource source) {
        return reads(stream, StreamSources.single(source));
    }

    /** Sets how failures are retried, and the circuit breakers that guard components. */
    public EventProcessorBuilder resilience(
            ResilienceSettings newSettings, Breakers newBreakers, BreakerProbes breakerProbes) {
        this.resilience = newSettings;
        this.breakers = newBreakers;
        this.probes = breakerProbes;
        return this;
    }

    /** Sets where handlers run; by default on the coordinator's thread. */
    public EventProcessorBuilder threads(Executor executor) {
        this.threads = executor;
        return this;
    }

    /** Adds an interceptor around every handler call, inside those that were added before. */
    public EventProcessorBuilder interceptor(HandlerInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** Sets the registry of its metrics; by default they are not exported. */
    public EventProcessorBuilder metrics(MeterRegistry registry) {
        this.metrics = registry;
        return this;
    }

    /** Sets how its gauges read the store; shared with the other processors of that store. */
    public EventProcessorBuilder gaugeReads(GaugeReads shared) {
        this.gaugeReads = shared;
        return this;
    }

    /** Sets how it finds staged actions; shared with the other processors of that store. */
    public EventProcessorBuilder openItems(OpenItems shared) {
        this.openItems = shared;
        return this;
    }

    /** Sets the log of the service. It shows whether a discarded letter can be restored in order. */
    public EventProcessorBuilder ownLog(EventLog log) {
        this.ownLog = log;
        return this;
    }

    KeyOrder keyOrder() {
        return new KeyOrder(service, ownLog);
    }

    OpenItems openItems() {
        return openItems == null ? new OpenItems(stores.actions(), clock, replica) : openItems;
    }

    /** Adds dead-letter settings. Later ones are more specific and override earlier ones. */
    public EventProcessorBuilder deadLetters(QueueConfiguration configuration) {
        queues.add(configuration);
        return this;
    }

    /** Adds a listener for changes of parked letters. */
    public EventProcessorBuilder deadLetterListener(DeadLetterListener listener) {
        listeners.add(listener);
        return this;
    }

    /** @throws PermanentException if the configuration is invalid, with the reason */
    public EventProcessor build() {
        if (streams.isEmpty() || components.isEmpty()) {
            throw new PermanentException("processor " + name + " needs a stream to read and a component to call");
        }
        requireUnique(Component::name);
        requireUnique(Component::stableName);
        components.forEach(this::check);
        return new EventProcessor(this);
    }

    private void requireUnique(Function<Component, String> nameOf) {
        Set<String> names = new HashSet<>();
        for (Component component : components) {
            if (!names.add(nameOf.apply(component))) {
                throw new PermanentException("processor " + name + " has two components named " + component.name()
                        + "; names must be unique, because effects are deduplicated by them");
            }
        }
    }

    private void check(Component component) {
        if (component.callsOutside() && start == null) {
            throw new PermanentException("component " + component.name() + " of processor " + name
                    + " calls external systems: declare where it starts with startsAt(…); from the beginning it would"
                    + " call them for the whole history");
        }
        component
                .rowsIn()
                .filter(resource -> !stores.transactions().isBackedBy(resource))
                .ifPresent(resource -> {
                    throw new PermanentException("component " + component.name() + " of processor " + name
                            + " writes application rows to " + resource
                            + ", which is not the service's store; rows there could not be committed together with"
                            + " its position. Use one DataSource for both");
                });
    }

    ProcessorContext context(Runnable wake) {
        BreakerProbes breakerProbes = probes == null ? new BreakerProbes(resilience) : probes;
        List<BoundComponent> bound = components.stream().map(this::bound).toList();
        ProcessorMetrics events = new ProcessorMetrics(metrics, name);
        List<DeadLetterListener> allListeners = new ArrayList<>(listeners);
        QueueMetrics queueMetrics = new QueueMetrics(metrics, name, bound, stores.letters(), gaugeReads, clock);
        allListeners.add(0, queueMetrics);
        Map<String, BoundComponent> standIns = new ConcurrentHashMap<>();
        return new ProcessorContext(
                new ProcessorIdentity(service, name, replica, version),
                ProcessorDefinition.of(bound.stream()
                        .collect(Collectors.toMap(
                                BoundComponent::id, component -> component.definition(codec, version)))),
                new HandlerRuntime(
                        bound,
                        id -> standIns.computeIfAbsent(id, unknown -> standIn(unknown, queueMetrics)),
                        codec,
                        breakers,
                        HandlerInterceptor.all(interceptors),
                        threads),
                new ParkingRuntime(
                        new FailurePolicy(resilience, breakers, breakerProbes, clock),
                        breakerProbes,
                        new ParkingNotifier(events, allListeners, clock)),
                stores,
                settings,
                events,
                clock,
                wake);
    }

    /** The component's own queue settings override those of the processor and the service. */
    private BoundComponent bound(Component component) {
        String queue = SequencedDeadLetterQueue.name(name, component.name());
        QueueSettings queueSettings = QueueSettings.DEFAULT;
        for (QueueConfiguration wider : queues) {
            queueSettings = wider.resolve(queue, queueSettings);
        }
        return BoundComponent.bind(component, id(component.stableName()), queue, queueSettings);
    }

    /** Creates a component without handlers, for one that this version lacks. */
    private BoundComponent standIn(String id, QueueMetrics queueMetrics) {
        String simpleName = id.substring(id.lastIndexOf('/') + 1);
        BoundComponent standIn = bound(Component.named(simpleName).build());
        queueMetrics.register(standIn);
        return standIn;
    }

    StartAt start() {
        return start == null ? StartAt.BEGINNING : start;
    }

    Set<String> retiredIds() {
        return retired.stream().map(this::id).collect(Collectors.toSet());
    }

    private String id(String component) {
        return service + "/" + name + "/" + component;
    }
}
