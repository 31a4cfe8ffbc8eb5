package io.holdfast.resilience.breaker;

import java.time.Duration;

/**
 * Publishes the attempts that an event processor makes for the events of a component: metrics
 * {@code resilience4j.retry.*} and the retry events that {@code RetryEventListener} logs. Attempts of one event may be
 * hours and restarts apart, so the caller counts them. Thread-safe.
 */
public interface RetryReports {

    /** Publishes nothing. */
    RetryReports NONE = new RetryReports() {
        @Override
        public void succeeded(int failures) {}

        @Override
        public void retrying(int failures, Throwable failure, Duration wait) {}

        @Override
        public void exhausted(int failures, Throwable failure) {}

        @Override
        public void notRetryable(Throwable failure) {}
    };

    /** Publishes a success after this number of failed attempts. */
    void succeeded(int failures);

    /**
     * Publishes a failure that will be retried.
     *
     * @param failures the number of failed attempts, this one included
     * @param wait the time until the next attempt
     */
    void retrying(int failures, Throwable failure, Duration wait);

    /** Publishes a retryable failure after which no attempt is left. */
    void exhausted(int failures, Throwable failure);

    /** Publishes a failure that no retry can fix. */
    void notRetryable(Throwable failure);
}
