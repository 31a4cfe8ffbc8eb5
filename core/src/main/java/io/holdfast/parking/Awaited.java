package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;

/**
 * What a parked sequence awaits from another version of the service.
 *
 * @param component the component's stable id
 * @param what as {@link ParkedSequence#awaits}
 */
public record Awaited(String component, String what) {

    /**
     * Returns whether another replica may handle it.
     *
     * @param other what that replica handles
     * @param own what this replica handles
     */
    public boolean isHandledBy(ProcessorDefinition other, ProcessorDefinition own) {
        if (what.equals(ParkedSequence.ANY_VERSION)) {
            return !other.equals(own);
        }
        ComponentDefinition known = other.components().get(component);
        return known != null && known.coversAwaited(what);
    }
}
