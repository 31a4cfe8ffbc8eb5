package io.holdfast.resilience;

import io.github.resilience4j.core.EventConsumer;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.event.RetryEvent;
import io.github.resilience4j.retry.event.RetryOnErrorEvent;
import io.github.resilience4j.retry.event.RetryOnIgnoredErrorEvent;
import io.github.resilience4j.retry.event.RetryOnRetryEvent;
import io.github.resilience4j.retry.event.RetryOnSuccessEvent;
import io.holdfast.resilience.breaker.RetryReports;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * A Resilience4j retry that also publishes attempts that were made elsewhere. Resilience4j counts the attempts of a call
 * in memory and cannot continue the count of another process. Thread-safe.
 */
final class ReportableRetry implements Retry, RetryReports {

    private final Retry retry;
    private final LongAdder succeededAtOnce = new LongAdder();
    private final LongAdder succeededLater = new LongAdder();
    private final LongAdder exhausted = new LongAdder();
    private final LongAdder notRetryable = new LongAdder();
    private final LongAdder attempts = new LongAdder();

    ReportableRetry(Retry retry) {
        this.retry = retry;
    }

    @Override
    public void succeeded(int failures) {
        attempts.increment();
        if (failures == 0) {
            succeededAtOnce.increment();
        } else {
            succeededLater.increment();
            publish(new RetryOnSuccessEvent(getName(), failures, null));
        }
    }

    @Override
    public void retrying(int failures, Throwable failure, Duration wait) {
        attempts.increment();
        publish(new RetryOnRetryEvent(getName(), failures, failure, Math.max(0, wait.toMillis())));
    }

    @Override
    public void exhausted(int failures, Throwable failure) {
        attempts.increment();
        exhausted.increment();
        publish(new RetryOnErrorEvent(getName(), failures, failure));
    }

    @Override
    public void notRetryable(Throwable failure) {
        attempts.increment();
        notRetryable.increment();
        publish(new RetryOnIgnoredErrorEvent(getName(), failure));
    }

    /** Resilience4j's publisher consumes events and passes them on to its listeners. */
    @SuppressWarnings("unchecked")
    private void publish(RetryEvent event) {
        ResilientOperation.notifyListeners(
                () -> ((EventConsumer<RetryEvent>) retry.getEventPublisher()).consumeEvent(event));
    }

    @Override
    public String getName() {
        return retry.getName();
    }

    @Override
    public <T> Context<T> context() {
        return retry.context();
    }

    @Override
    public <T> AsyncContext<T> asyncContext() {
        return retry.asyncContext();
    }

    @Override
    public RetryConfig getRetryConfig() {
        return retry.getRetryConfig();
    }

    @Override
    public Map<String, String> getTags() {
        return retry.getTags();
    }

    @Override
    public EventPublisher getEventPublisher() {
        return retry.getEventPublisher();
    }

    @Override
    public Metrics getMetrics() {
        Metrics own = retry.getMetrics();
        return new Metrics() {
            @Override
            public long getNumberOfSuccessfulCallsWithoutRetryAttempt() {
                return own.getNumberOfSuccessfulCallsWithoutRetryAttempt() + succeededAtOnce.sum();
            }

            @Override
            public long getNumberOfFailedCallsWithoutRetryAttempt() {
                return own.getNumberOfFailedCallsWithoutRetryAttempt() + notRetryable.sum();
            }

            @Override
            public long getNumberOfSuccessfulCallsWithRetryAttempt() {
                return own.getNumberOfSuccessfulCallsWithRetryAttempt() + succeededLater.sum();
            }

            @Override
            public long getNumberOfFailedCallsWithRetryAttempt() {
                return own.getNumberOfFailedCallsWithRetryAttempt() + exhausted.sum();
            }

            @Override
            public long getNumberOfTotalCalls() {
                return own.getNumberOfTotalCalls() + attempts.sum();
            }
        };
    }
}
