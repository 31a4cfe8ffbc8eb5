package io.holdfast.service;

import io.holdfast.processing.Component;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.wire.StartAt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one processor of a service reads and calls. */
public final class ProcessorDefinition {

    final Set<String> streams = new LinkedHashSet<>();
    final List<Component> components = new ArrayList<>();
    StartAt start = StartAt.BEGINNING;
    int batch = EventProcessorBuilder.DEFAULT_BATCH;

    ProcessorDefinition() {}

    /** Streams of this service or of others. */
    public ProcessorDefinition reads(String... names) {
        streams.addAll(List.of(names));
        return this;
    }

    public ProcessorDefinition calls(Component component) {
        components.add(component);
        return this;
    }

    /** Where it starts in a stream that it has never read. */
    public ProcessorDefinition startsAt(StartAt startAt) {
        this.start = startAt;
        return this;
    }

    /** How many events are handled and committed together at most. */
    public ProcessorDefinition batch(int events) {
        this.batch = events;
        return this;
    }
}
