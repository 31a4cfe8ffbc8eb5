package io.holdfast.admin;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.processing.Component;
import io.holdfast.processing.EventProcessor;
import io.holdfast.token.Segments;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A component of the service, and what operators do about it. */
record ManagedComponent(String service, String processorName, EventProcessor processor, Component component) {

    /** Between the parts of an entry's id. In a name it is written otherwise. */
    static final char SEPARATOR = '~';

    /** Its stable id, which its letters are kept under. */
    String id() {
        return service + "/" + processorName + "/" + component.stableName();
    }

    String name() {
        return component.name();
    }

    SequencedDeadLetterQueue queue() {
        return processor.deadLetterQueue(name());
    }

    SequencedDeadLetterProcessor deadLetterProcessor() {
        return processor.deadLetterProcessor(name());
    }

    /** The id of the entry of an event: unique over all services, and the same on all replicas. */
    String entryId(UUID event) {
        return event.toString() + SEPARATOR + urlSafeId();
    }

    /** Its id as the part of a path, the same only for the same component. */
    String urlSafeId() {
        return Stream.of(service, processorName, component.stableName())
                .map(ManagedComponent::urlSafe)
                .collect(Collectors.joining(String.valueOf(SEPARATOR)));
    }

    /** Servers refuse encoded slashes and percent signs in a path, so the encoded name has another sign for them. */
    private static String urlSafe(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace('%', '!');
    }

    /** Whether this replica has the segment of a sequence, as far as it knows. */
    boolean isClaimedLocally(ParkedSequence sequence) {
        return processor.status().segments().stream()
                .anyMatch(segment ->
                        segment.claimed() && Segments.covers(sequence.hash(), segment.number(), segment.mask()));
    }

    /** Whether somebody means it by this: its name, its processor and name, or its id. */
    boolean matches(String reference) {
        return reference.equals(name())
                || reference.equals(component.stableName())
                || reference.equals(processorName + "/" + name())
                || reference.equals(id());
    }
}
