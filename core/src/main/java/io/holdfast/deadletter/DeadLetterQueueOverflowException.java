package io.holdfast.deadletter;

import io.holdfast.PermanentException;

/**
 * A queue takes no more. Nothing was parked and nothing is skipped: whoever wanted to park waits until there is room.
 */
public final class DeadLetterQueueOverflowException extends PermanentException {

    private final String component;

    public DeadLetterQueueOverflowException(String component, String what) {
        super("the dead-letter queue of " + component + " takes no more: " + what
                + ". Nothing is skipped, what cannot be parked" + " waits");
        this.component = component;
    }

    /** Whose queue it is. */
    public String component() {
        return component;
    }
}
