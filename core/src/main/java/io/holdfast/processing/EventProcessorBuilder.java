package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.resilience.Breakers;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamSource;
import io.holdfast.wire.StreamSources;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what a processor reads and calls. */
public final class EventProcessorBuilder {

    final String service;
    final String name;
    final String replica;
    final Clock clock;
    final Map<String, StreamSources> streams = new LinkedHashMap<>();
    StartAt start = StartAt.BEGINNING;
    SequencingPolicy policy = SequencingPolicy.streamAndKey();

    @Nullable
    SequencingPolicy formerPolicy;

    private final ProcessorStores stores;
    private final PayloadCodec codec;
    private final List<Component> components = new ArrayList<>();
    private final Set<String> retired = new LinkedHashSet<>();
    private ProcessorSettings settings = ProcessorSettings.DEFAULT;
    private ResilienceSettings resilience = ResilienceSettings.DEFAULT;
    private Breakers breakers = Breakers.NONE;
    private @Nullable BreakerProbes probes;
    private Executor threads = Runnable::run;
    private MeterRegistry metrics = new CompositeMeterRegistry();
    private GaugeReads gaugeReads;
    private final List<DeadLetterListener> listeners = new ArrayList<>();
    private final List<HandlerInterceptor> interceptors = new ArrayList<>();
    private final List<QueueConfiguration> queues = new ArrayList<>();
    private boolean startConfigured;

    /**
     * @param name unique within the service, and the same for as long as its position matters
     * @param owner unique to this replica
     */
    public EventProcessorBuilder(
            String service, String name, String owner, ProcessorStores stores, PayloadCodec codec, Clock clock) {
        this.service = Names.require("name of service", service);
        this.name = Names.require("name of processor", name);
        this.replica = owner;
        this.stores = stores;
        this.gaugeReads = new GaugeReads(clock);
        this.codec = codec;
        this.clock = clock;
    }

    /** Reads a stream from sources of this processor's own. */
    public EventProcessorBuilder reads(String stream, StreamSources sources) {
        streams.put(Names.require("stream", stream), sources);
        return this;
    }

    /** Reads a stream from a source that gives any segment what it asks for. */
    public EventProcessorBuilder reads(String stream, StreamSource source) {
        return reads(stream, StreamSources.single(source));
    }

    public EventProcessorBuilder calls(Component component) {
        boolean isKnown = components.stream()
                .anyMatch(known -> known.name().equals(component.name())
                        || known.stableName().equals(component.stableName()));
        if (isKnown) {
            throw new PermanentException("processor " + name + " has two components named " + component.name()
                    + "; their effects could not be told apart");
        }
        components.add(component);
        return this;
    }

    /** A component that this version no longer has: its events are not meant for it any more, its letters stay. */
    public EventProcessorBuilder retires(String component) {
        retired.add(id(component));
        return this;
    }

    /** Where it starts in a stream that it has never read. */
    public EventProcessorBuilder startsAt(StartAt startAt) {
        this.start = startAt;
        this.startConfigured = true;
        return this;
    }

    public EventProcessorBuilder settings(ProcessorSettings newSettings) {
        this.settings = newSettings;
        return this;
    }

    /** Which events must be handled in order; those of one aggregate unless set. */
    public EventProcessorBuilder sequencedBy(SequencingPolicy newPolicy) {
        this.policy = newPolicy;
        return this;
    }

    /** The policy before: what it has begun is brought to an end by it. */
    public EventProcessorBuilder formerlySequencedBy(SequencingPolicy before) {
        this.formerPolicy = before;
        return this;
    }

    /** How failures are retried, and the breakers that components are guarded by. */
    public EventProcessorBuilder resilience(ResilienceSettings newSettings, Breakers newBreakers, BreakerProbes held) {
        this.resilience = newSettings;
        this.breakers = newBreakers;
        this.probes = held;
        return this;
    }

    /** Where handlers run; on the coordinator's thread unless set. */
    public EventProcessorBuilder threads(Executor executor) {
        this.threads = executor;
        return this;
    }

    /** Stands around every call of a handler, within those that were given before. */
    public EventProcessorBuilder interceptor(HandlerInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** Where it counts; nowhere unless set. */
    public EventProcessorBuilder metrics(MeterRegistry registry) {
        this.metrics = registry;
        return this;
    }

    /** Whom its gauges ask; shared with those of the other processors of a store. */
    public EventProcessorBuilder gaugeReads(GaugeReads shared) {
        this.gaugeReads = shared;
        return this;
    }

    /** How what fails is parked. What is said later is nearer, and goes before what was said earlier. */
    public EventProcessorBuilder deadLetters(QueueConfiguration configuration) {
        queues.add(configuration);
        return this;
    }

    /** Tells what becomes of parked events. */
    public EventProcessorBuilder deadLetterListener(DeadLetterListener listener) {
        listeners.add(listener);
        return this;
    }

    /** @throws PermanentException if it cannot work, with the reason */
    public EventProcessor build() {
        if (streams.isEmpty() || components.isEmpty()) {
            throw new PermanentException("processor " + name + " needs a stream to read and a component to call");
        }
        for (Component component : components) {
            check(component);
        }
        return new EventProcessor(this);
    }

    private void check(Component component) {
        if (component.callsOutside() && !startConfigured) {
            throw new PermanentException("component " + component.name() + " of processor " + name
                    + " calls outside: say where it starts (beginning would do for all of history what it does), by"
                    + " startsAt(…)");
        }
        component
                .rowsIn()
                .filter(resource -> !stores.transactions().isBackedBy(resource))
                .ifPresent(resource -> {
                    throw new PermanentException("component " + component.name() + " of processor " + name
                            + " keeps its rows in " + resource
                            + ", which is not where the service's store is; what it writes"
                            + " there could not be committed together with its position. Give the store the same DataSource, or"
                            + " keep the rows by the store's");
                });
    }

    ProcessorContext context(Runnable wake) {
        BreakerProbes held = probes == null ? new BreakerProbes(resilience) : probes;
        List<BoundComponent> bound = components.stream().map(this::bound).toList();
        ProcessorMetrics events = new ProcessorMetrics(metrics, name);
        List<DeadLetterListener> told = new ArrayList<>(listeners);
        told.add(0, new QueueMetrics(metrics, name, bound, stores.letters(), gaugeReads, clock));
        return new ProcessorContext(
                service,
                name,
                replica,
                bound,
                stores,
                settings,
                codec,
                breakers,
                HandlerInterceptor.all(interceptors),
                held,
                new FailurePolicy(resilience, breakers, held, clock),
                threads,
                events,
                new ParkingNotifier(events, told),
                clock,
                wake);
    }

    /** What the component says of its queue goes before what is said for all. */
    private BoundComponent bound(Component component) {
        String queue = SequencedDeadLetterQueue.name(name, component.name());
        QueueSettings queueSettings = QueueSettings.DEFAULT;
        for (QueueConfiguration wider : queues) {
            queueSettings = wider.resolve(queue, queueSettings);
        }
        return new BoundComponent(
                component, id(component.stableName()), component.deadLetters().resolve(queue, queueSettings), queue);
    }

    SegmentRequirements requirements() {
        Set<String> ids = components.stream()
                .map(component -> id(component.stableName()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return new SegmentRequirements(ids, retired, policy.name());
    }

    private String id(String component) {
        return service + "/" + name + "/" + component;
    }
}
