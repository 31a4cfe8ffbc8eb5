package io.holdfast.processing.operation;

import io.holdfast.worker.MonotonicTime;
import java.util.concurrent.CompletableFuture;

/** An operation that an operator requested of a processor. The coordinator advances it step by step. */
public interface Operation {

    /** Returns the time at which the operation is given up. */
    MonotonicTime deadline();

    CompletableFuture<?> result();

    /** Does what can be done now. Completes {@link #result} when the operation has succeeded or failed. */
    void advance();

    /** Resumes what the operation stopped. Called once the result is complete, also if the operation was given up. */
    void finish();
}
