package io.holdfast.service;

import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.handling.Component;
import io.holdfast.processing.ProcessorOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Configures one processor of a service: its streams, components and settings. Not thread-safe. */
public final class ProcessorConfiguration extends ProcessorOptions<ProcessorConfiguration> {

    final Set<String> streams = new LinkedHashSet<>();
    final QueueConfiguration deadLetters = new QueueConfiguration();

    ProcessorConfiguration() {}

    @Override
    protected ProcessorConfiguration self() {
        return this;
    }

    List<String> componentNames() {
        return components.stream().map(Component::name).toList();
    }

    boolean writesApplicationRows() {
        return components.stream().anyMatch(component -> component.rowsIn().isPresent());
    }

    /** Adds streams to read, of this service or of others. */
    public ProcessorConfiguration reads(String... names) {
        streams.addAll(List.of(names));
        return this;
    }

    /**
     * Configures the processor's dead-letter queues, overriding the service's configuration. A component can override
     * this.
     */
    public ProcessorConfiguration deadLetters(Consumer<QueueConfiguration> configure) {
        configure.accept(deadLetters);
        return this;
    }
}
