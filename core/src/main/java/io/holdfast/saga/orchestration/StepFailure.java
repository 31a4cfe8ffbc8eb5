package io.holdfast.saga.orchestration;

import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import org.jspecify.annotations.Nullable;

/**
 * A step failed inside a decision. It names the step, which is not always the one whose outcome was decided: the steps
 * that follow it run in the same decision.
 */
interface StepFailure {

    String step();

    /** Returns the data of the saga when the step failed; null if it had not been read. */
    @Nullable
    Object data();

    /** Returns what the step threw. */
    RuntimeException failure();

    /**
     * Returns an exception that is retried exactly if the failure is.
     *
     * @param data the data of the saga when the step failed
     */
    static RuntimeException of(String step, @Nullable Object data, RuntimeException failure) {
        return NonRetryableException.isRetryable(failure)
                ? new Retryable(step, data, failure)
                : new Final(step, data, failure);
    }

    private static String message(String step, RuntimeException failure) {
        return "step " + step + " failed: " + failure;
    }

    /** A failure that a retry may help. */
    final class Retryable extends RetryableException implements StepFailure {

        private static final long serialVersionUID = 1L;

        private final String step;
        private final transient @Nullable Object data;
        private final RuntimeException failure;

        Retryable(String step, @Nullable Object data, RuntimeException failure) {
            super(message(step, failure), failure);
            this.step = step;
            this.data = data;
            this.failure = failure;
        }

        @Override
        public String step() {
            return step;
        }

        @Override
        public @Nullable Object data() {
            return data;
        }

        @Override
        public RuntimeException failure() {
            return failure;
        }
    }

    /** A failure that a retry cannot help. */
    final class Final extends PermanentException implements StepFailure {

        private static final long serialVersionUID = 1L;

        private final String step;
        private final transient @Nullable Object data;
        private final RuntimeException failure;

        Final(String step, @Nullable Object data, RuntimeException failure) {
            super(message(step, failure), failure);
            this.step = step;
            this.data = data;
            this.failure = failure;
        }

        @Override
        public String step() {
            return step;
        }

        @Override
        public @Nullable Object data() {
            return data;
        }

        @Override
        public RuntimeException failure() {
            return failure;
        }
    }
}
