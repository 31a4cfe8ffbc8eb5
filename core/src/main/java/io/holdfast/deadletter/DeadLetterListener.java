package io.holdfast.deadletter;

/**
 * Told what has become of parked events, after it is durable, by the replica that did it. A replica that dies may not tell.
 * Called on the thread of a processor: it must be quick. What it throws is logged.
 */
@FunctionalInterface
public interface DeadLetterListener {

    void changed(DeadLetterChange change);
}
