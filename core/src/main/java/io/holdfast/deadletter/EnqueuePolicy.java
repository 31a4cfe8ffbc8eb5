package io.holdfast.deadletter;

/**
 * Decides whether a failed event is parked, skipped or evicted. Called once per failed attempt, the first included. Not
 * called when no attempt was made because the circuit breaker is open.
 *
 * <p>Implementations must be thread-safe, and quick because other events wait. If the policy throws, the event is
 * parked with both causes.
 */
@FunctionalInterface
public interface EnqueuePolicy {

    /**
     * Parks every failed event: retryable failures are retried, then the letter becomes PENDING. Nothing is dropped.
     */
    EnqueuePolicy ALWAYS_ENQUEUE = (letter, cause) -> Decisions.enqueue(cause);

    /**
     * @param letter the letter as stored; after the first failure the letter to be parked, without a cause
     * @param cause the handler's exception
     */
    EnqueueDecision decide(DeadLetter letter, Throwable cause);
}
