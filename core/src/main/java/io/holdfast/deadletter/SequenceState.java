package io.holdfast.deadletter;

/** State of a parked sequence. */
public enum SequenceState {
    /** Retried automatically after the backoff. */
    RETRYING,
    /** Waits for an open circuit breaker; no attempt is spent meanwhile. */
    HELD,
    /** Needs an operator. */
    PENDING
}
