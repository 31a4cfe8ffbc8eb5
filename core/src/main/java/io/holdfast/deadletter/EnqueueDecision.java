package io.holdfast.deadletter;

import java.util.Map;
import java.util.Optional;

/** What is to become of an event that could not be handled. {@link Decisions} has the usual ones. */
public interface EnqueueDecision {

    /** Whether the event is parked, or stays so. Else it is done with, and the next of its sequence can be handled. */
    boolean shouldEnqueue();

    /** What is kept as its cause; empty if the letter is to stay as it is. What was never parked is parked with its failure. */
    Optional<Throwable> cause();

    /** The diagnostics that are kept, for the next decision and for whoever looks at the letter. */
    Map<String, String> diagnostics(DeadLetter letter);
}
