package io.holdfast.tck.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The events that were given up on purpose, by a policy or by a person: what they have no effect of is not lost. Who dies
 * may not be able to say whether it has come to that, so there are some of which either may be true.
 */
final class AbandonedEvents {

    private final Set<Abandoned> possible = new HashSet<>();
    private final Map<Abandoned, Set<Integer>> certain = new HashMap<>();

    private record Abandoned(String component, UUID event) {}

    /** From now on it may be that a component has no effect of an event. */
    void recordPossible(String component, UUID event) {
        possible.add(new Abandoned(component, event));
    }

    /** It was discarded for certain, in this generation of the processor. */
    void recordCertain(String component, UUID event, int generation) {
        recordPossible(component, event);
        certain.computeIfAbsent(new Abandoned(component, event), unknown -> new HashSet<>())
                .add(generation);
    }

    boolean isPossible(String component, UUID event) {
        return possible.contains(new Abandoned(component, event));
    }

    boolean isCertain(String component, UUID event, int generation) {
        return certain.getOrDefault(new Abandoned(component, event), Set.of()).contains(generation);
    }
}
