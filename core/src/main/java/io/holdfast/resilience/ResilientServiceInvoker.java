package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedRetryMetrics;
import io.github.resilience4j.retry.RetryRegistry;
import io.holdfast.event.Names;
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
 * {@link ResilientOperations} by Resilience4j, with its metrics ({@code resilience4j.circuitbreaker.*},
 * {@code resilience4j.retry.*}) and a {@link RetryEventListener}. One per service; it has no thread of its own and
 * nothing to close.
 *
 * <p>Operations that the settings name exist from the start, all others from their first call.
 */
public final class ResilientServiceInvoker implements ResilientOperations, Breakers {

    private final ResilienceSettings settings;
    private final Clock clock;
    private final RetryTimer timer;
    private final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    private final RetryRegistry retries = RetryRegistry.ofDefaults();
    private final ConcurrentMap<String, ResilientOperation> operations = new ConcurrentHashMap<>();

    private ResilientServiceInvoker(Builder builder) {
        this.settings = builder.settings;
        this.clock = builder.clock;
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
        } catch (Throwable failure) { // whoever calls looks at the future only
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

    /** The breakers, by the names of their operations: to look at, to listen to, to open or close by hand. */
    public CircuitBreakerRegistry circuitBreakers() {
        return breakers;
    }

    /** The retries, by the names of their operations: to look at and to listen to. */
    public RetryRegistry retries() {
        return retries;
    }

    private ResilientOperation operation(String name) {
        ResilientOperation known = operations.get(name);
        return known != null ? known : operations.computeIfAbsent(name, this::newOperation);
    }

    private ResilientOperation newOperation(String name) {
        Names.require("name of operation", name);
        return new ResilientOperation(
                breakers.circuitBreaker(name, settings.circuitBreakerOf(name).config(clock)),
                retries.retry(name, settings.retryOf(name).config()),
                timer);
    }

    /** What has a default. */
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

        /** Tells breakers the time. */
        public Builder clock(Clock time) {
            this.clock = time;
            return this;
        }

        /** Makes the further attempts of asynchronous operations; the common pool if nothing else is said. */
        public Builder executor(Executor executor) {
            return timer(new SystemRetryTimer(executor));
        }

        /** Lets the time between attempts pass in another way; a test does not want to wait. */
        public Builder timer(RetryTimer waiting) {
            this.timer = waiting;
            return this;
        }

        /** Is told the name of each breaker that closes again; a short signal. */
        public Builder onClosed(Consumer<String> signal) {
            this.closedListener = signal;
            return this;
        }

        public ResilientServiceInvoker build() {
            return new ResilientServiceInvoker(this);
        }
    }
}
