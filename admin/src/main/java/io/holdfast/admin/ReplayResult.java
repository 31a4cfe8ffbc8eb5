package io.holdfast.admin;

import io.holdfast.deadletter.Cause;
import org.jspecify.annotations.Nullable;

/**
 * What came of the replay of one letter.
 *
 * @param first the entry that must be dealt with before; null unless it is {@link Status#NOT_FIRST}
 * @param cause why it failed again; null unless it did
 */
public record ReplayResult(Status status, @Nullable String first, @Nullable Cause cause) {

    /** What came of it. */
    public enum Status {
        /** It was handled, and its effects are durable. */
        APPLIED,
        /** It had been handled before, on this replica, not long ago. */
        ALREADY_APPLIED,
        /** It was tried, failed, and is parked still. */
        FAILED_AGAIN,
        /** A policy did not keep it, or somebody discarded it meanwhile: it had no effect. */
        DISCARDED,
        /** Another replica has dealt with it, and it is not parked any more. How it left is known there. */
        GONE,
        /** It takes longer than the caller wanted to wait, and goes on. */
        RUNNING,
        /** Another letter of its sequence comes before it. Nothing was done. */
        NOT_FIRST,
        /** No such letter is parked. Nothing was done. */
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
