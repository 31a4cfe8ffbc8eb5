package io.holdfast.deadletter;

/**
 * Says what is to become of an event that could not be handled: asked once when its first handling has failed, and once for
 * every later try that fails. It is not asked about an event that was not tried since its breaker is open.
 *
 * <p>For any number of threads. It must be quick, since other events wait for its answer. If it throws, the event is parked,
 * with both causes.
 */
@FunctionalInterface
public interface EnqueuePolicy {

    /** Keeps everything: what is worth retrying is retried, then it is a person's turn. Nothing is dropped. */
    EnqueuePolicy ALWAYS_ENQUEUE = (letter, cause) -> Decisions.enqueue(cause);

    /**
     * @param letter as it is kept; at the first failure as it would be, without a cause
     * @param cause what the handler has thrown
     */
    EnqueueDecision decide(DeadLetter letter, Throwable cause);
}
