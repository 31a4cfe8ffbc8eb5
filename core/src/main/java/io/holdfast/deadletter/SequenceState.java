package io.holdfast.deadletter;

/** What a parked sequence waits for. */
public enum SequenceState {
    /** The next attempt, at a time. */
    RETRYING,
    /** A circuit breaker: nothing is attempted while it is open, and no attempt is spent. */
    HELD,
    /** A person. */
    PENDING
}
