package io.holdfast.admin.component;

import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.handling.Component;
import io.holdfast.processing.EventProcessor;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A component of the service, with the ids and references that operators use. */
public record ManagedComponent(String service, String processorName, EventProcessor processor, Component component) {

    /** Separates the parts of an entry's id. Names are encoded so that they do not contain it. */
    static final char SEPARATOR = '~';

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

    /** Returns the entry id for an event: unique across all services, and the same on all replicas. */
    public String entryId(UUID event) {
        return event.toString() + SEPARATOR + urlSafeId();
    }

    /** Returns the id in a form that is safe in a URL path. Distinct components have distinct ids. */
    String urlSafeId() {
        return Stream.of(service, processorName, component.stableName())
                .map(ManagedComponent::urlSafe)
                .collect(Collectors.joining(String.valueOf(SEPARATOR)));
    }

    /** Servers reject encoded slashes and percent signs in a path, so the encoding uses another character than %. */
    private static String urlSafe(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace('%', '!');
    }

    /** @return whether the reference is this component's name, its processor and name, or its id */
    public boolean matches(String reference) {
        return reference.equals(name())
                || reference.equals(component.stableName())
                || reference.equals(processorName + "/" + name())
                || reference.equals(id());
    }
}
