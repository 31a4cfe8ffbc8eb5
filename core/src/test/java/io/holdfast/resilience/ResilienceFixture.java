package io.holdfast.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.NonRetryableException;
import io.holdfast.fixture.ManualClock;
import io.holdfast.fixture.ManualRetryTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.Supplier;

/** An invoker on a manual clock, and an operation that fails on purpose. */
final class ResilienceFixture {

    static final String NAME = "payment-processing";

    final ManualClock clock = new ManualClock();
    final ManualRetryTimer timer = new ManualRetryTimer(clock);
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final ResilientServiceInvoker invoker;
    int calls;

    ResilienceFixture(ResilienceSettings settings) {
        this.invoker = ResilientServiceInvoker.builder(settings, meters)
                .clock(clock)
                .timer(timer)
                .build();
    }

    /** Without jitter, so that delays are predictable. */
    static ResilienceFixture steady() {
        return new ResilienceFixture(ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0)));
    }

    /** One attempt per call, so that calls can be counted. */
    static ResilienceFixture withoutRetry(CircuitBreakerOverrides breaker) {
        return new ResilienceFixture(ResilienceSettings.DEFAULT
                .retry(RetryOverrides.NONE.maxAttempts(1))
                .circuitBreaker(breaker));
    }

    /** Returns an operation that fails the given number of times, then succeeds. */
    Supplier<String> failing(int times) {
        return () -> {
            if (++calls <= times) {
                throw new Unreachable();
            }
            return "paid";
        };
    }

    /** Makes one failing call and ignores the exception. */
    void fail() {
        fail(new Unreachable());
    }

    void fail(RuntimeException failure) {
        try {
            invoker.executeRunnable(NAME, () -> {
                calls++;
                throw failure;
            });
        } catch (RuntimeException expected) {
            // the test checks the breaker, not the exception
        }
    }

    String succeed() {
        return invoker.execute(NAME, () -> {
            calls++;
            return "paid";
        });
    }

    CircuitBreaker breaker() {
        return invoker.circuitBreakers().circuitBreaker(NAME);
    }

    CircuitBreaker.State state() {
        return breaker().getState();
    }

    static final class Unreachable extends RuntimeException {
        Unreachable() {
            super("connection refused");
        }
    }

    static final class Declined extends RuntimeException implements NonRetryableException {
        Declined() {
            super("above the limit");
        }
    }
}
