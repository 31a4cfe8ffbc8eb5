package io.holdfast.processing;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether this version of a processor may work on a segment: it has all components that the segment's events are handed
 * to, and shares events out in the same way. A replica of an older version, which lacks a component, would pass over events
 * that are meant for it.
 */
final class SegmentRequirements {

    private final Set<String> components;
    private final Set<String> retired;
    private String policy;

    SegmentRequirements(Collection<String> components, Set<String> retired, String policy) {
        this.components = new TreeSet<>(components);
        this.retired = Set.copyOf(retired);
        this.policy = policy;
    }

    /** From now on events are shared out by this policy. */
    void usePolicy(String name) {
        this.policy = name;
    }

    /** Why it may not, if it may not. */
    Optional<String> problem(SegmentSetup setup) {
        Set<String> missing = new TreeSet<>(setup.components().keySet());
        missing.removeAll(components);
        missing.removeAll(retired);
        if (!missing.isEmpty()) {
            return Optional.of("its events are meant for components that this version lacks: " + missing
                    + "; a newer version works on it, or declare them as retired or renamed");
        }
        if (!setup.policy().isEmpty() && !setup.policy().equals(policy)) {
            return Optional.of("its events are shared out by policy " + setup.policy() + ", this version does it by "
                    + policy + "; that changes when all segments stand at one position and nothing is parked");
        }
        return Optional.empty();
    }

    /** The setup with this version's components; new ones begin where the segment stands. */
    SegmentSetup completed(Token token) {
        Map<String, Map<String, StreamPosition>> all =
                new HashMap<>(token.setup().components());
        all.keySet().removeAll(retired);
        components.forEach(component -> all.putIfAbsent(component, token.positions()));
        return token.setup().withComponents(all).withPolicy(policy);
    }
}
