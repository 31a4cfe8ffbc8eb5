package io.holdfast.deadletter;

import java.util.Map;
import java.util.Optional;

/** An {@link EnqueuePolicy}'s decision about a failed event. {@link Decisions} has the standard ones. */
public interface EnqueueDecision {

    /**
     * @return whether the event is parked or stays parked; if false, it is skipped or evicted, and the next event of
     *     its sequence can be handled
     */
    boolean shouldEnqueue();

    /**
     * @return the cause to store; empty to keep the letter unchanged. An event that is not parked yet is then parked
     *     with the failure itself
     */
    Optional<Throwable> cause();

    /** Returns the diagnostics to store, for the next decision and for operators. */
    Map<String, String> diagnostics(DeadLetter letter);
}
