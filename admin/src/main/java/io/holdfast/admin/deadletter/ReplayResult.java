package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.Cause;
import org.jspecify.annotations.Nullable;

/**
 * The result of replaying one letter.
 *
 * @param first the id of the entry that must be replayed or discarded first; null unless {@link Status#NOT_FIRST}
 * @param cause why the letter failed again; null unless {@link Status#FAILED_AGAIN}
 */
public record ReplayResult(Status status, @Nullable String first, @Nullable Cause cause) {

    /** The outcome of the replay. */
    public enum Status {
        /** The event was handled, and its effects are durable. */
        APPLIED,
        /** The event was already handled, recently and on this replica. */
        ALREADY_APPLIED,
        /** The attempt failed, and the letter is still parked. */
        FAILED_AGAIN,
        /** A policy evicted the letter, or an operator discarded it concurrently. The event had no effect. */
        DISCARDED,
        /** The letter is no longer parked. Another replica removed it, and only that replica has the outcome. */
        GONE,
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

    static ReplayResult failedAgain(@Nullable Cause cause) {
        return new ReplayResult(Status.FAILED_AGAIN, null, cause);
    }
}
