package io.holdfast.service;

import io.holdfast.PermanentException;
import io.holdfast.commit.Committer;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.wire.LogStreamSource;
import io.holdfast.wire.StreamSource;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireStreamSource;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Says what a service owns and which processors it has. */
public final class HoldfastServiceBuilder {

    final String service;
    final Store store;
    final Wire wire;
    final Set<String> ownedStreams = new LinkedHashSet<>();
    Clock clock = Clock.systemUTC();
    PayloadCodec codec = new PayloadCodec();
    String replica;
    private final Map<String, ProcessorDefinition> processors = new LinkedHashMap<>();

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

    public HoldfastServiceBuilder processor(String name, Consumer<ProcessorDefinition> define) {
        ProcessorDefinition definition = new ProcessorDefinition();
        define.accept(definition);
        if (processors.put(name, definition) != null) {
            throw new PermanentException("service " + service + " has two processors named " + name);
        }
        return this;
    }

    /** Builds the service and starts its threads. */
    public HoldfastService start() {
        HoldfastService built = new HoldfastService(this);
        built.start(this);
        return built;
    }

    Map<String, EventProcessor> buildProcessors(Committer committer) {
        Map<String, EventProcessor> built = new LinkedHashMap<>();
        processors.forEach((name, definition) -> {
            EventProcessorBuilder builder =
                    new EventProcessorBuilder(service, name, replica, store.tokenStore(), committer, codec, clock);
            StreamSource own = new LogStreamSource(store.eventLog());
            StreamSource others = new WireStreamSource(wire);
            definition.streams.forEach(stream -> builder.reads(stream, ownedStreams.contains(stream) ? own : others));
            definition.components.forEach(builder::calls);
            built.put(
                    name,
                    builder.startsAt(definition.start).batch(definition.batch).build());
        });
        return built;
    }

    List<String> remoteStreams(String processor) {
        return Objects.requireNonNull(processors.get(processor)).streams.stream()
                .filter(stream -> !ownedStreams.contains(stream))
                .toList();
    }
}
