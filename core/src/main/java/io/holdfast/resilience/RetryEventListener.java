package io.holdfast.resilience;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.retry.event.RetryOnErrorEvent;
import io.github.resilience4j.retry.event.RetryOnIgnoredErrorEvent;
import io.github.resilience4j.retry.event.RetryOnRetryEvent;
import io.github.resilience4j.retry.event.RetryOnSuccessEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs retries, late successes, exhausted attempts and non-retryable failures of operations and event handlers, and
 * counts the last, which Resilience4j does not. Listens to all retries of a registry, including those added later.
 */
public final class RetryEventListener {

    /** Counter of failures that were not retried because they are not retryable, by operation name. */
    public static final String IGNORED = "framework.resilience.retry.ignored";

    private final MeterRegistry meters;
    private final Logger log;

    public RetryEventListener(RetryRegistry retries, MeterRegistry meters) {
        this(retries, meters, LoggerFactory.getLogger(RetryEventListener.class));
    }

    RetryEventListener(RetryRegistry retries, MeterRegistry meters, Logger log) {
        this.meters = meters;
        this.log = log;
        retries.getEventPublisher().onEntryAdded(added -> listenTo(added.getAddedEntry()));
        retries.getAllRetries().forEach(this::listenTo);
    }

    private void listenTo(Retry retry) {
        Counter ignored = Counter.builder(IGNORED)
                .description("Failures that were not retried because they are not retryable")
                .tag("name", retry.getName())
                .register(meters);
        retry.getEventPublisher()
                .onRetry(this::retried)
                .onSuccess(this::succeeded)
                .onError(this::exhausted)
                .onIgnoredError(event -> ignored(event, ignored));
    }

    private void retried(RetryOnRetryEvent event) {
        log.warn(
                "Attempt {} of {} failed, retrying in {}: {}",
                event.getNumberOfRetryAttempts(),
                event.getName(),
                event.getWaitInterval(),
                String.valueOf(event.getLastThrowable()));
    }

    private void succeeded(RetryOnSuccessEvent event) {
        log.info("{} succeeded on attempt {}", event.getName(), event.getNumberOfRetryAttempts() + 1);
    }

    private void exhausted(RetryOnErrorEvent event) {
        log.error(
                "{} failed on attempt {}, no attempts left: {}",
                event.getName(),
                event.getNumberOfRetryAttempts(),
                String.valueOf(event.getLastThrowable()));
    }

    private void ignored(RetryOnIgnoredErrorEvent event, Counter counter) {
        counter.increment();
        log.info(
                "{} failed and is not retried, the failure is not retryable: {}",
                event.getName(),
                String.valueOf(event.getLastThrowable()));
    }
}
