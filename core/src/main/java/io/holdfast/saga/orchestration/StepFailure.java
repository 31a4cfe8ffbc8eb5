package io.holdfast.saga.orchestration;

import io.holdfast.NonRetryableException;
import org.jspecify.annotations.Nullable;

/**
 * A step failed inside a decision. It names the step, which is not always the one whose outcome was decided: the steps
 * that follow it run in the same decision.
 */
class StepFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String step;
    private final transient @Nullable Object data;
    private final RuntimeException failure;

    private StepFailure(String step, @Nullable Object data, RuntimeException failure) {
        super("step " + step + " failed: " + failure, failure);
        this.step = step;
        this.data = data;
        this.failure = failure;
    }

    /**
     * Returns a failure that is retried exactly if its cause is.
     *
     * @param data the data of the saga when the step failed
     */
    static StepFailure of(String step, @Nullable Object data, RuntimeException failure) {
        return NonRetryableException.isRetryable(failure)
                ? new StepFailure(step, data, failure)
                : new Final(step, data, failure);
    }

    String step() {
        return step;
    }

    /** Returns the data of the saga when the step failed. */
    @Nullable
    Object data() {
        return data;
    }

    /** Returns what the step threw. */
    RuntimeException failure() {
        return failure;
    }

    /** A failure that a retry cannot help. */
    private static final class Final extends StepFailure implements NonRetryableException {

        private static final long serialVersionUID = 1L;

        Final(String step, @Nullable Object data, RuntimeException failure) {
            super(step, data, failure);
        }
    }
}
