package io.holdfast.deadletter.entry;

import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequenceState;
import java.util.Optional;

/** Status of an entry. */
public enum EntryStatus {
    /** Its sequence needs an operator. */
    PENDING,
    /** Its sequence is retried automatically. */
    RETRYING,
    /** Its sequence waits for an open circuit breaker. */
    HELD,
    /** The event was handled. */
    REPLAYED,
    /** The letter was removed, and its event has no effect. */
    DISCARDED;

    /** Returns whether the letter is parked; otherwise it is resolved. */
    public boolean isParked() {
        return this == PENDING || this == RETRYING || this == HELD;
    }

    /** Returns the status of the letters of a parked sequence. */
    public static EntryStatus of(SequenceState state) {
        return valueOf(state.name());
    }

    /** Returns the status of a resolved letter; empty if it is never listed. */
    public static Optional<EntryStatus> of(ResolvedLetter.Status status) {
        return switch (status) {
            case REPLAYED -> Optional.of(REPLAYED);
            case DISCARDED -> Optional.of(DISCARDED);
            case CLEARED -> Optional.empty();
        };
    }
}
