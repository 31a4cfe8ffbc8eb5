package io.holdfast.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.event.Names;

/**
 * Identifies a sequence: events that one component must handle in order.
 *
 * @param component the component's stable id; each component has its own queue
 * @param sequence the sequence identifier that the sequencing policy returns; different identifiers never share a
 *     sequence
 */
public record SequenceId(String component, String sequence) {

    /** Maximum length that every store can index. */
    public static final int MAX_LENGTH = 600;

    public SequenceId {
        Names.require("component id", component);
        if (sequence.isEmpty() || sequence.length() > MAX_LENGTH) {
            throw new PermanentException(
                    "a sequence identifier must have 1 to " + MAX_LENGTH + " characters, but has " + sequence.length());
        }
        if (!Names.isStorable(sequence)) {
            throw new PermanentException("a sequence identifier must not contain NUL or an unpaired surrogate");
        }
    }

    @Override
    public String toString() {
        return component + " of " + sequence;
    }
}
