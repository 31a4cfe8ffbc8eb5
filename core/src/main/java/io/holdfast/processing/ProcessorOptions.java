package io.holdfast.processing;

import io.holdfast.event.Names;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.wire.StartAt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a processor that do not depend on the service that runs it. Not thread-safe.
 *
 * @param <B> the type that configures the processor
 */
public abstract class ProcessorOptions<B extends ProcessorOptions<B>> {

    protected final List<Component> components = new ArrayList<>();
    final Set<String> retired = new LinkedHashSet<>();

    @Nullable
    StartAt start;

    ProcessorSettings settings = ProcessorSettings.DEFAULT;
    SequencingPolicy policy = SequencingPolicy.streamAndKey();

    @Nullable
    SequencingPolicy formerPolicy;

    /** Returns this object under its own type. */
    protected abstract B self();

    /** Adds a component. Its name must be unique within the processor. */
    public B calls(Component component) {
        components.add(component);
        return self();
    }

    /**
     * Declares a component that this version no longer has. Takes effect once no running replica has it: it then receives
     * no further events, letters that only waited for it are resolved, and those that failed stay parked.
     */
    public B retires(String component) {
        retired.add(Names.require("name of retired component", component));
        return self();
    }

    /**
     * Sets where the processor starts in a stream that it has never read; by default at the beginning. Required if a
     * component calls external systems.
     */
    public B startsAt(StartAt startAt) {
        this.start = startAt;
        return self();
    }

    public B settings(ProcessorSettings newSettings) {
        this.settings = newSettings;
        return self();
    }

    /** Changes the current settings. */
    public B settings(UnaryOperator<ProcessorSettings> change) {
        this.settings = change.apply(settings);
        return self();
    }

    /** Sets the policy that decides which events must be handled in order; by default the events of one aggregate. */
    public B sequencedBy(SequencingPolicy newPolicy) {
        this.policy = newPolicy;
        return self();
    }

    /** Sets the previous policy, which stays in effect until the processor can change to the new one. */
    public B formerlySequencedBy(SequencingPolicy previousPolicy) {
        this.formerPolicy = previousPolicy;
        return self();
    }
}
