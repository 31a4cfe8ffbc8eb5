package io.holdfast.deadletter;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What has become of parked events of one sequence.
 *
 * @param queue {@code DeadLetterQueue[processor][component]}
 * @param letters how many letters it is about
 * @param affectsEntries whether these wait for a person, or did, or a person has asked for it
 * @param letter the one that failed, as it is kept; null if it is not about one
 * @param removedEvents the events that are parked no more, in their order; empty if it is not about such
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

    /** Of something that stays parked. */
    public DeadLetterChange(
            Kind kind, String queue, SequenceId sequence, int letters, boolean entries, @Nullable DeadLetter letter) {
        this(kind, queue, sequence, letters, entries, letter, List.of());
    }

    /** What has happened. */
    public enum Kind {
        /** An event could not be handled, and is parked. */
        PARKED,
        /** Events came behind a parked one. */
        PARKED_BEHIND,
        /** A parked event was tried again and failed. */
        FAILED_AGAIN,
        /** The sequence waits for a person from now on. */
        PENDING,
        /** Parked events were handled. */
        REPLAYED,
        /** The policy did not keep a parked event, or somebody discarded it. */
        EVICTED,
        /** The policy did not park an event that could not be handled. */
        SKIPPED,
        /** An event cannot be parked, since the queue takes no more: its segment waits. */
        OVERFLOW
    }
}
