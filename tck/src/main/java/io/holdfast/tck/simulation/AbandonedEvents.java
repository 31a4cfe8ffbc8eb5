package io.holdfast.tck.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The events that a policy or an operator has abandoned on purpose: they may have no effect without being lost. A
 * replica that crashes may not report whether an event was abandoned, so some events are only possibly abandoned.
 */
final class AbandonedEvents {

    private final Set<Abandoned> possible = new HashSet<>();
    private final Map<Abandoned, Set<Integer>> certain = new HashMap<>();

    private final Set<Abandoned> uncertain = new HashSet<>();

    private int failovers;

    private record Abandoned(String component, UUID event) {}

    /** Records that an event may have no effect in a component. */
    void recordPossible(String component, UUID event) {
        possible.add(new Abandoned(component, event));
    }

    /** Records that an event was certainly abandoned in this generation of the processor. */
    void recordCertain(String component, UUID event, int generation) {
        recordPossible(component, event);
        if (uncertain.contains(new Abandoned(component, event))) {
            return;
        }
        certain.computeIfAbsent(new Abandoned(component, event), unknown -> new HashSet<>())
                .add(generation);
    }

    /** Records that an event may have an effect from now on, whatever abandons it. */
    void recordUncertain(String component, UUID event) {
        certain.remove(new Abandoned(component, event));
        uncertain.add(new Abandoned(component, event));
    }

    /** A database has lost commits, and with them perhaps the fact that an event was abandoned. */
    void forgetCertainty() {
        certain.clear();
        failovers++;
    }

    /** Returns how often certainty was lost. */
    int failovers() {
        return failovers;
    }

    boolean isPossible(String component, UUID event) {
        return possible.contains(new Abandoned(component, event));
    }

    boolean isCertain(String component, UUID event, int generation) {
        return certain.getOrDefault(new Abandoned(component, event), Set.of()).contains(generation);
    }
}
