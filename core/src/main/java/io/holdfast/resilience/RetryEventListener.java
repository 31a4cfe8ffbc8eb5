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
 * Tells the log what becomes of attempts, in four kinds of line, and counts the failures that were not worth a second
 * one, which Resilience4j does not. It listens to all retries of a registry, also later ones.
 */
public final class RetryEventListener {

    /** Failures that were not tried again because it could not help, by the operation's name. */
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
                .description("Failures that were not tried again because it could not help")
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
                "Attempt {} of {} failed, the next comes in {}: {}",
                event.getNumberOfRetryAttempts(),
                event.getName(),
                event.getWaitInterval(),
                String.valueOf(event.getLastThrowable()));
    }

    private void succeeded(RetryOnSuccessEvent event) {
        log.info("{} succeeded at attempt {}", event.getName(), event.getNumberOfRetryAttempts() + 1);
    }

    private void exhausted(RetryOnErrorEvent event) {
        log.error(
                "{} failed at attempt {}, the last: {}",
                event.getName(),
                event.getNumberOfRetryAttempts(),
                String.valueOf(event.getLastThrowable()));
    }

    private void ignored(RetryOnIgnoredErrorEvent event, Counter counter) {
        counter.increment();
        log.info(
                "{} is not tried again, it could not help: {}",
                event.getName(),
                String.valueOf(event.getLastThrowable()));
    }
}
