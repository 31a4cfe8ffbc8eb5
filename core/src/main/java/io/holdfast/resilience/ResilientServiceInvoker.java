package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedRetryMetrics;
import io.github.resilience4j.retry.RetryRegistry;
import io.holdfast.event.Names;
import io.holdfast.resilience.breaker.AdmittedCall;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.resilience.breaker.RetryReports;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link ResilientOperations} with Resilience4j, including its metrics
 * ({@code resilience4j.circuitbreaker.*}, {@code resilience4j.retry.*}) and a {@link RetryEventListener}. Create one
 * per service. It has no threads and need not be closed. Thread-safe.
 *
 * <p>Operations named in the settings are created at startup, all others on their first call.
 */
public final class ResilientServiceInvoker implements ResilientOperations, Breakers {

    private final ResilienceSettings settings;
    private final Clock clock;
    private final RetryTimer timer;
    private final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    private final RetryRegistry retries = RetryRegistry.ofDefaults();
    private final ConcurrentMap<String, ResilientOperation> operations = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ReportableRetry> reportableRetries = new ConcurrentHashMap<>();

    private ResilientServiceInvoker(Builder builder) {
        this.settings = builder.settings;
        this.clock = new BreakerClock(builder.clock);
        this.timer = builder.timer;
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(builder.meters);
        TaggedRetryMetrics.ofRetryRegistry(retries).bindTo(builder.meters);
        new RetryEventListener(retries, builder.meters);
        breakers.getEventPublisher()
                .onEntryAdded(added -> added.getAddedEntry().getEventPublisher().onStateTransition(event -> {
                    if (event.getStateTransition().getToState() == CircuitBreaker.State.CLOSED) {
                        builder.closedListener.accept(event.getCircuitBreakerName());
                    }
                }));
        if (settings.enabled()) {
            settings.instances().keySet().forEach(this::operation);
        }
    }

    public static ResilientServiceInvoker of(ResilienceSettings settings, MeterRegistry meters) {
        return builder(settings, meters).build();
    }

    public static Builder builder(ResilienceSettings settings, MeterRegistry meters) {
        return new Builder(settings, meters);
    }

    @Override
    public <T extends @Nullable Object> T execute(String name, Supplier<T> operation) {
        return settings.enabled() ? operation(name).call(operation) : operation.get();
    }

    @Override
    public void executeRunnable(String name, Runnable operation) {
        execute(name, () -> {
            operation.run();
            return true;
        });
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String name, Supplier<? extends CompletionStage<T>> operation) {
        if (settings.enabled()) {
            return operation(name).callAsync(operation);
        }
        try {
            return operation.get().toCompletableFuture();
        } catch (Throwable failure) { // callers check only the future
            return CompletableFuture.failedFuture(failure);
        }
    }

    @Override
    public AdmittedCall admit(String name) {
        return settings.enabled() ? operation(name).admit() : AdmittedCall.NONE;
    }

    @Override
    public boolean isClosed(String name) {
        return !settings.enabled() || operation(name).isClosed();
    }

    @Override
    public RetryReports retry(String name) {
        return settings.enabled() ? reportableRetry(name) : RetryReports.NONE;
    }

    /** Returns the breakers by operation name, to inspect them, listen to them, or open and close them manually. */
    public CircuitBreakerRegistry circuitBreakers() {
        return breakers;
    }

    /** Returns the retries by operation name, to inspect and listen to them. */
    public RetryRegistry retries() {
        return retries;
    }

    private ResilientOperation operation(String name) {
        ResilientOperation existing = operations.get(name);
        return existing != null ? existing : operations.computeIfAbsent(name, this::newOperation);
    }

    private ResilientOperation newOperation(String name) {
        Names.require("name of operation", name);
        return new ResilientOperation(
                breakers.circuitBreaker(name, settings.circuitBreakerOf(name).config(clock)),
                reportableRetry(name),
                timer);
    }

    private ReportableRetry reportableRetry(String name) {
        ReportableRetry existing = reportableRetries.get(name);
        return existing != null ? existing : reportableRetries.computeIfAbsent(name, this::newReportableRetry);
    }

    /** Registers the retry twice, because a registry only accepts its own ones. Metrics follow the replacement. */
    private ReportableRetry newReportableRetry(String name) {
        ReportableRetry retry =
                new ReportableRetry(retries.retry(name, settings.retryOf(name).config()));
        retries.replace(name, retry);
        return retry;
    }

    /** Sets optional collaborators. */
    public static final class Builder {

        private final ResilienceSettings settings;
        private final MeterRegistry meters;
        private Clock clock = Clock.systemUTC();
        private Consumer<String> closedListener = name -> {};
        private RetryTimer timer = new SystemRetryTimer(ForkJoinPool.commonPool());

        private Builder(ResilienceSettings settings, MeterRegistry meters) {
            this.settings = settings;
            this.meters = meters;
        }

        /** Sets the breakers' clock. They measure intervals by its {@link io.holdfast.worker.MonotonicClock}. */
        public Builder clock(Clock newClock) {
            this.clock = newClock;
            return this;
        }

        /** Sets the executor that runs the retries of asynchronous operations; by default the common pool. */
        public Builder executor(Executor executor) {
            return timer(new SystemRetryTimer(executor));
        }

        /** Replaces the timer between attempts, for tests that must not wait. */
        public Builder timer(RetryTimer newTimer) {
            this.timer = newTimer;
            return this;
        }

        /** Sets a listener that receives the name of each breaker that closes again. It must return quickly. */
        public Builder onClosed(Consumer<String> listener) {
            this.closedListener = listener;
            return this;
        }

        public ResilientServiceInvoker build() {
            return new ResilientServiceInvoker(this);
        }
    }
}
