package io.holdfast.deadletter;

/**
 * Receives changes to parked letters after their commit, on the replica that made them. Best effort: a replica that
 * crashes after the commit may not notify. Called on a processor's thread, so it must return quickly. Exceptions are
 * logged.
 */
@FunctionalInterface
public interface DeadLetterListener {

    void changed(DeadLetterChange change);
}
