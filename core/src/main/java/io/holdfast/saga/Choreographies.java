package io.holdfast.saga;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All declared types of choreographed sagas, in the order of their declaration. Immutable and thread-safe. */
public final class Choreographies {

    private final Map<String, Choreography> types = new LinkedHashMap<>();

    Choreographies(List<Choreography> types) {
        types.forEach(type -> this.types.put(type.type(), type));
    }

    public List<Choreography> all() {
        return List.copyOf(types.values());
    }

    public Optional<Choreography> find(String sagaType) {
        return Optional.ofNullable(types.get(sagaType));
    }

    /** Returns what an event type means in a saga type; empty if the type is unknown or does not record the event. */
    public Optional<EventMeaning> findMeaning(String sagaType, String eventType) {
        return find(sagaType).flatMap(type -> type.findMeaning(eventType));
    }

    /** Returns the types that a service tracks, because it appends their step 0. */
    public List<Choreography> trackedBy(String service) {
        return types.values().stream()
                .filter(type -> type.tracker().equals(service))
                .toList();
    }

    /** Returns the streams of the sagas that a service tracks. */
    public Set<String> streamsTrackedBy(String service) {
        Set<String> streams = new LinkedHashSet<>();
        trackedBy(service).forEach(type -> streams.addAll(type.streams()));
        return streams;
    }
}
