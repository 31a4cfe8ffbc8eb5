package io.holdfast.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;

/**
 * The events that one component must handle in order.
 *
 * @param component its stable id; each has a queue of its own
 * @param sequence what the sequencing policy says; two different ones never share a sequence
 */
public record SequenceId(String component, String sequence) {

    /** What a store can keep in an index. */
    public static final int MAX_LENGTH = 600;

    public SequenceId {
        Names.require("component id", component);
        if (sequence.isEmpty() || sequence.length() > MAX_LENGTH || sequence.indexOf('\0') >= 0) {
            throw new PermanentException("a sequence identifier must have 1 to " + MAX_LENGTH
                    + " characters, none of them 0, but has " + sequence.length());
        }
    }

    @Override
    public String toString() {
        return component + " of " + sequence;
    }
}
