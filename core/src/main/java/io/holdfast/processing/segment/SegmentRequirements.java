package io.holdfast.processing.segment;

import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import java.util.Optional;

/** Checks whether this version of a processor may work on a segment: it must have the same sequencing policy. */
public final class SegmentRequirements {

    private String policy;

    public SegmentRequirements(String policy) {
        this.policy = policy;
    }

    /** Requires this policy from now on. */
    public void usePolicy(String name) {
        this.policy = name;
    }

    /** Returns why this version may not work on the segment, if it may not. */
    Optional<String> problem(SegmentSetup setup) {
        if (!setup.policy().isEmpty() && !setup.policy().equals(policy)) {
            return Optional.of("its sequencing policy is " + setup.policy() + ", this version uses " + policy
                    + "; it changes when all segments are at the same position and nothing is parked");
        }
        return Optional.empty();
    }

    /** Returns the setup of a segment by this definition. New components start at the segment's positions. */
    SegmentSetup completed(Token token, ProcessorDefinition definition) {
        return token.setup()
                .withComponents(definition.components().keySet(), token.positions())
                .withPolicy(policy);
    }
}
