package io.holdfast.processing.segment;

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
 * Checks whether this version of a processor may work on a segment: it must have all components that get the segment's
 * events, and the same sequencing policy. A replica of an older version that lacks a component would skip its events.
 */
public final class SegmentRequirements {

    private final Set<String> components;
    private final Set<String> retired;
    private String policy;

    public SegmentRequirements(Collection<String> components, Set<String> retired, String policy) {
        this.components = new TreeSet<>(components);
        this.retired = Set.copyOf(retired);
        this.policy = policy;
    }

    /** Requires this policy from now on. */
    public void usePolicy(String name) {
        this.policy = name;
    }

    /** Returns why this version may not work on the segment, if it may not. */
    Optional<String> problem(SegmentSetup setup) {
        Set<String> missing = new TreeSet<>(setup.components().keySet());
        missing.removeAll(components);
        missing.removeAll(retired);
        if (!missing.isEmpty()) {
            return Optional.of("it requires components that this version lacks: " + missing
                    + "; a newer version works on it, or declare them as retired or renamed");
        }
        if (!setup.policy().isEmpty() && !setup.policy().equals(policy)) {
            return Optional.of("its sequencing policy is " + setup.policy() + ", this version uses " + policy
                    + "; it changes when all segments are at the same position and nothing is parked");
        }
        return Optional.empty();
    }

    /** Returns the setup with this version's components. New ones start at the segment's positions. */
    SegmentSetup completed(Token token) {
        Map<String, Map<String, StreamPosition>> all =
                new HashMap<>(token.setup().components());
        all.keySet().removeAll(retired);
        components.forEach(component -> all.putIfAbsent(component, token.positions()));
        return token.setup().withComponents(all).withPolicy(policy);
    }
}
