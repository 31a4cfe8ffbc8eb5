package io.holdfast.deadletter;

import io.holdfast.PermanentException;

/**
 * A dead-letter queue has no room. Nothing was parked and no event is skipped: the segment waits until there is room.
 */
public final class DeadLetterQueueOverflowException extends PermanentException {

    private final String component;

    public DeadLetterQueueOverflowException(String component, String reason) {
        super("the dead-letter queue of " + component + " has no room: " + reason
                + ". No event is skipped; events that cannot be parked wait");
        this.component = component;
    }

    /** Returns the stable id of the component that owns the queue. */
    public String component() {
        return component;
    }
}
