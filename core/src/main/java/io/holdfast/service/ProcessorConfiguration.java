package io.holdfast.service;

import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.processing.Component;
import io.holdfast.processing.ProcessorSettings;
import io.holdfast.processing.SequencingPolicy;
import io.holdfast.wire.StartAt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Configures one processor of a service: its streams, components and settings. Not thread-safe. */
public final class ProcessorConfiguration {

    final Set<String> streams = new LinkedHashSet<>();
    final List<Component> components = new ArrayList<>();
    final Set<String> retired = new LinkedHashSet<>();

    @Nullable
    StartAt start;

    ProcessorSettings settings = ProcessorSettings.DEFAULT;
    SequencingPolicy policy = SequencingPolicy.streamAndKey();

    @Nullable
    SequencingPolicy formerPolicy;

    final QueueConfiguration deadLetters = new QueueConfiguration();

    ProcessorConfiguration() {}

    /** Adds streams to read, of this service or of others. */
    public ProcessorConfiguration reads(String... names) {
        streams.addAll(List.of(names));
        return this;
    }

    public ProcessorConfiguration calls(Component component) {
        components.add(component);
        return this;
    }

    /**
     * Sets where the processor starts in a stream that it has never read; by default at the beginning. Required if a
     * component calls external systems.
     */
    public ProcessorConfiguration startsAt(StartAt startAt) {
        this.start = startAt;
        return this;
    }

    public ProcessorConfiguration settings(ProcessorSettings newSettings) {
        this.settings = newSettings;
        return this;
    }

    /** Changes the current settings. */
    public ProcessorConfiguration settings(UnaryOperator<ProcessorSettings> change) {
        this.settings = change.apply(settings);
        return this;
    }

    /** Sets the policy that decides which events must be handled in order; by default the events of one aggregate. */
    public ProcessorConfiguration sequencedBy(SequencingPolicy newPolicy) {
        this.policy = newPolicy;
        return this;
    }

    /** Sets the previous policy, which stays in effect until the processor can change to the new one. */
    public ProcessorConfiguration formerlySequencedBy(SequencingPolicy previousPolicy) {
        this.formerPolicy = previousPolicy;
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

    /** Declares a component that this version no longer has. */
    public ProcessorConfiguration retires(String component) {
        retired.add(component);
        return this;
    }
}
