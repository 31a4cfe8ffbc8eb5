package io.holdfast.deadletter;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A committed change to the parked letters of one sequence.
 *
 * @param queue {@code DeadLetterQueue[processor][component]}
 * @param letters the number of letters that changed
 * @param affectsEntries whether operators see the change: the sequence has been PENDING, or an operator requested it
 * @param newEntries the number of letters that became entries with this change: of a sequence that is PENDING for the first
 *     time, parked in one that has been, or removed by an operator before. Each letter counts once, on whichever replica
 * @param letter the letter that failed, as stored; null if the change is not about a single letter
 * @param removedEvents the ids of the events that are no longer parked, in order; empty if no letter was removed
 */
public record DeadLetterChange(
        Kind kind,
        String queue,
        SequenceId sequence,
        int letters,
        boolean affectsEntries,
        int newEntries,
        @Nullable DeadLetter letter,
        List<UUID> removedEvents) {

    public DeadLetterChange {
        removedEvents = List.copyOf(removedEvents);
    }

    /** Creates a change that removes no letter, nor makes any an entry. */
    public DeadLetterChange(
            Kind kind,
            String queue,
            SequenceId sequence,
            int letters,
            boolean affectsEntries,
            @Nullable DeadLetter letter) {
        this(kind, queue, sequence, letters, affectsEntries, 0, letter, List.of());
    }

    public DeadLetterChange withNewEntries(int count) {
        return new DeadLetterChange(kind, queue, sequence, letters, affectsEntries, count, letter, removedEvents);
    }

    public DeadLetterChange withRemoved(List<UUID> events) {
        return new DeadLetterChange(kind, queue, sequence, letters, affectsEntries, newEntries, letter, events);
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
