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
final class Discards {

    private final Set<Discarded> possible = new HashSet<>();
    private final Map<Discarded, Set<Integer>> certain = new HashMap<>();

    private record Discarded(String component, UUID event) {}

    /** From now on it may be that a component has no effect of an event. */
    void may(String component, UUID event) {
        possible.add(new Discarded(component, event));
    }

    /** It was discarded for certain, in this generation of the processor. */
    void discarded(String component, UUID event, int generation) {
        may(component, event);
        certain.computeIfAbsent(new Discarded(component, event), unknown -> new HashSet<>())
                .add(generation);
    }

    boolean isPossible(String component, UUID event) {
        return possible.contains(new Discarded(component, event));
    }

    boolean isCertain(String component, UUID event, int generation) {
        return certain.getOrDefault(new Discarded(component, event), Set.of()).contains(generation);
    }
}
