package io.holdfast.saga;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds all mistakes in the declarations of sagas, so that they are reported together. */
final class DeclarationChecks {

    /** So that the tag of a row, which also names the status, is a valid name. */
    static final int MAX_TYPE_LENGTH = 200;

    private final @Nullable String service;
    private final Set<String> ownedStreams;
    private final List<String> problems = new ArrayList<>();

    private DeclarationChecks(@Nullable String service, Set<String> ownedStreams) {
        this.service = service;
        this.ownedStreams = ownedStreams;
    }

    /** Checks what does not depend on the service. */
    static DeclarationChecks ofEveryService() {
        return new DeclarationChecks(null, Set.of());
    }

    static DeclarationChecks ofService(String service, Set<String> ownedStreams) {
        return new DeclarationChecks(service, ownedStreams);
    }

    /** @param types the results of the declarations, in the same order */
    List<String> problems(List<SagaDeclaration> declarations, List<Choreography> types) {
        for (int i = 0; i < types.size(); i++) {
            checkSteps(declarations.get(i), types.get(i));
            checkNames(types.get(i));
            checkEventTypes(types.get(i));
            checkService(types.get(i));
        }
        repeated(types.stream().map(Choreography::type))
                .forEach(type -> problems.add("saga type " + type + " is declared twice; remove one"));
        return problems;
    }

    private void checkSteps(SagaDeclaration declaration, Choreography type) {
        declaration.misplaced().forEach(misplaced -> add(type, misplaced));
        if (type.steps().stream().allMatch(SagaStep::isCompleting)) {
            add(type, "needs at least one step; add register(…)");
        }
        if (declaration.completions() != 1) {
            add(type, "needs exactly one completedBy(…), but has " + declaration.completions());
        }
        if (type.streams().isEmpty()) {
            add(type, "needs the streams of its events; add streams(…)");
        }
        type.findTimeout()
                .filter(timeout -> timeout.isZero() || timeout.isNegative())
                .ifPresent(timeout -> add(type, "has timeout " + timeout + ", but it must be positive"));
    }

    private void checkNames(Choreography type) {
        checkName(type, "its type", type.type());
        if (type.type().length() > MAX_TYPE_LENGTH) {
            add(type, "its type must have at most " + MAX_TYPE_LENGTH + " characters");
        }
        type.streams().forEach(stream -> checkName(type, "a stream", stream));
        eventTypes(type).forEach(event -> checkName(type, "an event type", event));
        type.services().forEach(name -> checkName(type, "a service", name));
    }

    private void checkName(Choreography type, String what, String name) {
        try {
            Names.require(what, name);
        } catch (PermanentException e) {
            add(type, String.valueOf(e.getMessage()));
        }
    }

    /** Facts are recorded by event type, so each must have one meaning. */
    private void checkEventTypes(Choreography type) {
        repeated(eventTypes(type))
                .forEach(event -> add(
                        type,
                        "declares event type " + event + " more than once; give each step and each outcome its own"
                                + " event type"));
    }

    private void checkService(Choreography type) {
        if (service == null || !type.services().contains(service)) {
            return;
        }
        if (Collections.disjoint(type.streams(), ownedStreams)) {
            add(
                    type,
                    "service " + service + " appends events of this saga, but owns none of its streams "
                            + type.streams() + "; add the stream with owns(…), or to streams(…)");
        }
        if (type.tracker().equals(service) && type.findCancellation().isEmpty()) {
            add(type, "service " + service + " tracks it and needs its local compensation; add cancelBy(…)");
        }
    }

    private static Stream<String> eventTypes(Choreography type) {
        return type.steps().stream().flatMap(step -> Stream.of(
                        Stream.of(step.event()),
                        step.findCompensation().stream(),
                        step.failedBy().stream(),
                        step.withdrawnBy().stream())
                .flatMap(events -> events));
    }

    /** Returns the names that occur more than once, each once. */
    private static Stream<String> repeated(Stream<String> names) {
        Set<String> seen = new HashSet<>();
        return names.filter(name -> !seen.add(name)).distinct();
    }

    private void add(Choreography type, String problem) {
        problems.add("saga type " + type.type() + ": " + problem);
    }
}
