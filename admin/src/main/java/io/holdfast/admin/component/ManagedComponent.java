package io.holdfast.admin.component;

import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.handling.Component;
import io.holdfast.processing.EventProcessor;

/** A component of the service, with the ids and references that operators use. */
public record ManagedComponent(String service, String processorName, EventProcessor processor, Component component) {

    /** Returns the stable id under which letters are stored. */
    public String id() {
        return service + "/" + processorName + "/" + component.stableName();
    }

    public String name() {
        return component.name();
    }

    public SequencedDeadLetterQueue queue() {
        return processor.deadLetterQueue(name());
    }

    /** @return whether the reference is this component's name, its processor and name, or its id */
    public boolean matches(String reference) {
        return reference.equals(name())
                || reference.equals(component.stableName())
                || reference.equals(processorName + "/" + name())
                || reference.equals(id());
    }
}
