package io.holdfast.idempotency;

import org.jspecify.annotations.Nullable;

/** What became of work that was to run once. */
public sealed interface ProcessResult<T extends @Nullable Object> {

    /** Whether the work ran in this call. */
    default boolean ran() {
        return this instanceof Ran;
    }

    /**
     * The work ran and is remembered.
     *
     * @param leaseLost true if the lease was lost on the way and another took the work: it may have run twice
     */
    record Ran<T extends @Nullable Object>(T value, boolean leaseLost) implements ProcessResult<T> {}

    /** It was done before and did not run. */
    record AlreadyDone<T extends @Nullable Object>() implements ProcessResult<T> {}

    /**
     * Another is at it, and it did not run here. That other may still fail: whoever must be sure that the work is done
     * comes again.
     */
    record InProgress<T extends @Nullable Object>() implements ProcessResult<T> {}
}
