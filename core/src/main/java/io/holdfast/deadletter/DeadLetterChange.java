package io.holdfast.deadletter;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A committed change to the parked letters of one sequence.
 *
 * @param queue {@code DeadLetterQueue[processor][component]}
 * @param letters the number of letters that changed
 * @param affectsEntries whether operators see the change: the letters are or were PENDING, or an operator requested it
 * @param letter the letter that failed, as stored; null if the change is not about a single letter
 * @param removedEvents the ids of the events that are no longer parked, in order; empty if no letter was removed
 */
public record DeadLetterChange(
        Kind kind,
        String queue,
        SequenceId sequence,
        int letters,
        boolean affectsEntries,
        @Nullable DeadLetter letter,
        List<UUID> removedEvents) {

    public DeadLetterChange {
        removedEvents = List.copyOf(removedEvents);
    }

    /** Creates a change that removes no letter. */
    public DeadLetterChange(
            Kind kind,
            String queue,
            SequenceId sequence,
            int letters,
            boolean affectsEntries,
            @Nullable DeadLetter letter) {
        this(kind, queue, sequence, letters, affectsEntries, letter, List.of());
    }

    /** Kind of change. */
    public enum Kind {
        /** An event failed and was parked. */
        PARKED,
        /** Events were parked behind a letter of their sequence. */
        PARKED_BEHIND,
        /** A retry or replay of a letter failed. */
        FAILED_AGAIN,
        /** The sequence became PENDING and needs an operator. */
        PENDING,
        /** Letters were handled successfully and removed. */
        REPLAYED,
        /** A letter was evicted by the policy or by code, or discarded by an operator. */
        EVICTED,
        /** An operator restored a letter that was discarded. Its sequence is PENDING. */
        RESTORED,
        /** An event failed, and the policy chose not to park it. */
        SKIPPED,
        /** An event cannot be parked because the queue has no room. Its segment waits. */
        OVERFLOW
    }
}
