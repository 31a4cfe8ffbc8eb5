package io.holdfast.processing.segment;

import io.holdfast.RetryableException;
import org.jspecify.annotations.Nullable;

/**
 * The database has ended the transaction in which handlers write application rows; none of their rows can be committed.
 * The event that was being handled may be at fault, or just the one at which the loss was noticed.
 */
final class TransactionLostException extends RetryableException {

    private final transient @Nullable HandlerTask task;

    /** @param task the task at which the loss was noticed; null if it was noticed after all of them */
    TransactionLostException(@Nullable HandlerTask task, Throwable cause) {
        super("the database ended the transaction of " + describe(task) + ": " + cause, cause);
        this.task = task;
    }

    private static String describe(@Nullable HandlerTask task) {
        return task == null
                ? "several handlers"
                : "the handler of " + task.event().type() + " " + task.event().id() + " in "
                        + task.component().id();
    }

    @Nullable
    HandlerTask task() {
        return task;
    }
}
