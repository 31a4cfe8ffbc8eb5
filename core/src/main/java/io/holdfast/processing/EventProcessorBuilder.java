package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.commit.Committer;
import io.holdfast.event.Names;
import io.holdfast.event.PayloadCodec;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamSource;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what a processor reads and calls. */
public final class EventProcessorBuilder {

    public static final int DEFAULT_BATCH = 500;

    final String service;
    final String name;
    final String owner;
    final TokenStore tokens;
    final Committer committer;
    final PayloadCodec codec;
    final Clock clock;
    final Map<String, StreamSource> streams = new LinkedHashMap<>();
    final List<Component> components = new ArrayList<>();
    StartAt start = StartAt.BEGINNING;
    int batch = DEFAULT_BATCH;

    /**
     * @param name unique within the service, and the same for as long as its position matters
     * @param owner unique to this replica
     */
    public EventProcessorBuilder(
            String service,
            String name,
            String owner,
            TokenStore tokens,
            Committer committer,
            PayloadCodec codec,
            Clock clock) {
        this.service = Names.require("name of service", service);
        this.name = Names.require("name of processor", name);
        this.owner = owner;
        this.tokens = tokens;
        this.committer = committer;
        this.codec = codec;
        this.clock = clock;
    }

    /** Reads a stream from a source of this processor's own. */
    public EventProcessorBuilder reads(String stream, StreamSource source) {
        streams.put(Names.require("stream", stream), source);
        return this;
    }

    public EventProcessorBuilder calls(Component component) {
        if (components.stream().anyMatch(known -> known.name().equals(component.name()))) {
            throw new PermanentException("processor " + name + " has two components named " + component.name()
                    + "; their effects could not be told apart");
        }
        components.add(component);
        return this;
    }

    /** Where it starts in a stream that it has never read. */
    public EventProcessorBuilder startsAt(StartAt startAt) {
        this.start = startAt;
        return this;
    }

    /** How many events are handled and committed together at most. */
    public EventProcessorBuilder batch(int events) {
        if (events < 1) {
            throw new PermanentException("batch of processor " + name + " must be 1 or more, but is " + events);
        }
        this.batch = events;
        return this;
    }

    public EventProcessor build() {
        if (streams.isEmpty() || components.isEmpty()) {
            throw new PermanentException("processor " + name + " needs a stream to read and a component to call");
        }
        return new EventProcessor(this);
    }
}
