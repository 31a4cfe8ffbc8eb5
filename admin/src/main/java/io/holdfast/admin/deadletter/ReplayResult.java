package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.LetterOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of replaying one letter.
 *
 * @param first the id of the entry that must be replayed or discarded first; null unless {@link Status#NOT_FIRST}
 * @param cause why the letter failed again or was not tried; null unless {@link Status#FAILED_AGAIN} or {@link Status#NOT_TRIED}
 */
public record ReplayResult(Status status, @Nullable String first, @Nullable Cause cause) {

    /** The outcome of the replay. */
    public enum Status {
        /** The event was handled, and its effects are durable. */
        APPLIED,
        /** The event was already handled. It did not take effect again. */
        ALREADY_APPLIED,
        /** The attempt failed, and the letter is still parked. */
        FAILED_AGAIN,
        /** A policy evicted the letter, or an operator discarded it concurrently. The event had no effect. */
        DISCARDED,
        /** A reset removed the letter, because its event is handled again. */
        CLEARED,
        /** No attempt was made: the circuit breaker is open, this version has no handler, or no replica was ready. */
        NOT_TRIED,
        /** The replay exceeds the caller's timeout and continues. */
        RUNNING,
        /** Another letter of the sequence comes first. Nothing was changed. */
        NOT_FIRST,
        /** No such letter is parked. Nothing was changed. */
        NOT_FOUND
    }

    static ReplayResult of(Status status) {
        return new ReplayResult(status, null, null);
    }

    static ReplayResult notFirst(String first) {
        return new ReplayResult(Status.NOT_FIRST, first, null);
    }

    static ReplayResult of(LetterOutcome letter) {
        Status status =
                switch (letter.outcome()) {
                    case APPLIED -> Status.APPLIED;
                    case ALREADY_APPLIED -> Status.ALREADY_APPLIED;
                    case FAILED_AGAIN -> Status.FAILED_AGAIN;
                    case DISCARDED -> Status.DISCARDED;
                    case CLEARED -> Status.CLEARED;
                    case REFUSED, NOT_TRIED, RESTORED, EDITED -> Status.NOT_TRIED;
                };
        return new ReplayResult(status, null, letter.cause());
    }
}
