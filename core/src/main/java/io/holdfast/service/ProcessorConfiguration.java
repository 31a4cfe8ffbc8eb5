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

/** What one processor of a service reads and calls. */
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

    /** Streams of this service or of others. */
    public ProcessorConfiguration reads(String... names) {
        streams.addAll(List.of(names));
        return this;
    }

    public ProcessorConfiguration calls(Component component) {
        components.add(component);
        return this;
    }

    /** Where it starts in a stream that it has never read; at the beginning unless set, and to be set if it calls outside. */
    public ProcessorConfiguration startsAt(StartAt startAt) {
        this.start = startAt;
        return this;
    }

    public ProcessorConfiguration settings(ProcessorSettings newSettings) {
        this.settings = newSettings;
        return this;
    }

    /** Changes some of the settings it has so far. */
    public ProcessorConfiguration settings(UnaryOperator<ProcessorSettings> change) {
        this.settings = change.apply(settings);
        return this;
    }

    /** Which events must be handled in order; those of one aggregate unless set. */
    public ProcessorConfiguration sequencedBy(SequencingPolicy newPolicy) {
        this.policy = newPolicy;
        return this;
    }

    /** The policy before: what was begun by it is brought to an end by it. */
    public ProcessorConfiguration formerlySequencedBy(SequencingPolicy before) {
        this.formerPolicy = before;
        return this;
    }

    /** How what fails is parked, where that differs from what the service says; a component may say otherwise again. */
    public ProcessorConfiguration deadLetters(Consumer<QueueConfiguration> configure) {
        configure.accept(deadLetters);
        return this;
    }

    /** A component that this version no longer has. */
    public ProcessorConfiguration retires(String component) {
        retired.add(component);
        return this;
    }
}
