package io.holdfast.tck.simulation;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.simulation.SinkVersion.HandlerId;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.Mark;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The handlers that were added while the sink was running. Each must get every event that no segment had passed when
 * some replica registered the handler. A reset gives it the earlier events too.
 */
final class AddedHandlers {

    private final World world;
    private final Map<HandlerId, Registration> registered = new HashMap<>();

    AddedHandlers(World world) {
        this.world = world;
    }

    /**
     * The world when a handler was registered.
     *
     * @param passed the events at or below the position of their segment
     * @param overtaken other events of which the component had already handled or parked a later one of the same key
     */
    private record Registration(Set<UUID> passed, Set<UUID> overtaken, int generation) {}

    boolean isAnyRegistered() {
        return !registered.isEmpty();
    }

    /** Call it after every step of a processor: a step may register handlers, and no position moves before the next. */
    void observe() {
        if (registered.size() < SinkVersion.ADDED.size()) {
            SinkVersion.ADDED.stream()
                    .filter(handler -> !registered.containsKey(handler) && isDefined(handler))
                    .toList()
                    .forEach(handler -> registered.put(handler, newRegistration(handler)));
        }
    }

    /** Forgets the handlers that the sink has lost. A replica that still has them registers them again. */
    void forgetUndefined() {
        registered.keySet().removeIf(handler -> !isDefined(handler));
    }

    private boolean isDefined(HandlerId handler) {
        return world.sink
                .store()
                .tokenStore()
                .findDefinition(SinkReplica.PROCESSOR)
                .find(SinkReplica.id(handler.component()))
                .map(ComponentDefinition::types)
                .filter(types -> types.containsKey(handler.type()))
                .isPresent();
    }

    private Registration newRegistration(HandlerId handler) {
        Set<UUID> passed = new HashSet<>();
        Set<UUID> overtaken = new HashSet<>();
        List<EventMessage> events = world.sourceEvents();
        for (EventMessage event : events) {
            for (Token token : world.segments()) {
                if (isPassed(event, token)) {
                    passed.add(event.id());
                }
            }
            if (!passed.contains(event.id()) && isOvertaken(handler, event, events)) {
                overtaken.add(event.id());
            }
        }
        return new Registration(passed, overtaken, world.generation());
    }

    private boolean isPassed(EventMessage event, Token token) {
        int hash = Segments.hash(event.stream() + "/" + event.key());
        StreamPosition reached = token.positions().get(event.stream());
        return Segments.covers(hash, token.segment().number(), token.setup().mask())
                && reached != null
                && world.failovers.effectivePosition(reached) >= event.position();
    }

    /** A handler that ran for long may have kept the position below later events, which are marked. */
    private boolean isOvertaken(HandlerId handler, EventMessage event, List<EventMessage> events) {
        Set<UUID> marked = world.segments().stream()
                .flatMap(token -> token.marks().stream())
                .filter(mark -> mark.component().equals(SinkReplica.id(handler.component())))
                .map(Mark::event)
                .collect(Collectors.toSet());
        return events.stream()
                .filter(later -> later.stream().equals(event.stream())
                        && later.key().equals(event.key())
                        && later.version() > event.version())
                .anyMatch(later -> marked.contains(later.id()));
    }

    /** Returns whether the component must have handled the event, because of a handler that was added. */
    boolean mustHandle(String component, EventMessage event) {
        Registration registration = registered.get(new HandlerId(component, event.type()));
        return registration != null
                && (world.generation() > registration.generation()
                        || !registration.passed().contains(event.id()));
    }

    /**
     * Returns whether the component may get the event after later ones of its key: because of a reset, or because it
     * had handled those before the handler was registered.
     */
    boolean mayComeLate(String component, EventMessage event) {
        Registration registration = registered.get(new HandlerId(component, event.type()));
        boolean isFromReset = registration != null
                && world.generation() > 1
                && (registration.generation() > 1 || registration.passed().contains(event.id()));
        return isFromReset || (registration != null && registration.overtaken().contains(event.id()));
    }
}
