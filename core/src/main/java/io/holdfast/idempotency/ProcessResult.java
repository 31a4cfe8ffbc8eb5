package io.holdfast.idempotency;

import org.jspecify.annotations.Nullable;

/** Result of {@link IdempotentExecutor#tryProcess}. */
public sealed interface ProcessResult<T extends @Nullable Object> {

    /** @return whether the work ran in this call */
    default boolean ran() {
        return this instanceof Ran;
    }

    /**
     * The work ran in this call.
     *
     * @param leaseLost whether another caller took the work over because the lease expired; the work may have run twice
     */
    record Ran<T extends @Nullable Object>(T value, boolean leaseLost) implements ProcessResult<T> {}

    /** The work was already done and did not run. */
    record AlreadyDone<T extends @Nullable Object>() implements ProcessResult<T> {}

    /**
     * Another caller is running the work, so it did not run in this call. The other run may still fail; to be sure that
     * the work is done, call again.
     */
    record InProgress<T extends @Nullable Object>() implements ProcessResult<T> {}
}
