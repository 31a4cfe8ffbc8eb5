package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.NonRetryableException;
import io.holdfast.fixture.ManualClock;
import io.holdfast.fixture.ManualRetryTimer;
import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.idempotency.IdempotentExecutor;
import io.holdfast.idempotency.ProcessResult;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.resilience.CircuitBreakerOverrides;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.ResilienceException;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.ResilientOperations;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.Store;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Quoted by docs/guides/calling-other-services.md; DocumentationTests compares the two. */
class CallingOtherServicesTests {

    record Receipt(String orderId) {}

    static final class PaymentDeclined extends RuntimeException implements NonRetryableException {
        PaymentDeclined(String orderId) {
            super("payment of order " + orderId + " declined");
        }
    }

    /** Fails its first calls. */
    static final class Provider {
        private int remainingFailures;
        private int calls;

        Provider(int remainingFailures) {
            this.remainingFailures = remainingFailures;
        }

        Receipt pay(String orderId) {
            calls++;
            if (remainingFailures-- > 0) {
                throw new IllegalStateException("connection refused");
            }
            if (orderId.startsWith("declined")) {
                throw new PaymentDeclined(orderId);
            }
            return new Receipt(orderId);
        }

        CompletableFuture<Receipt> payLater(String orderId) {
            try {
                return CompletableFuture.completedFuture(pay(orderId));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ManualClock clock = new ManualClock();
    private final ManualRetryTimer timer = new ManualRetryTimer(clock);
    private final ResilienceSettings settings = ResilienceSettings.DEFAULT.instance(
            "payment-processing",
            InstanceOverrides.NONE
                    .circuitBreaker(CircuitBreakerOverrides.NONE
                            .failureRateThreshold(60)
                            .waitDurationInOpenState(Duration.ofSeconds(15)))
                    .retry(RetryOverrides.NONE.maxAttempts(5).waitDuration(Duration.ofSeconds(1))));
    private final ResilientOperations operations = ResilientServiceInvoker.builder(settings, meters)
            .clock(clock)
            .timer(timer)
            .build();

    @Test
    void retriesFailedCall() {
        Provider provider = new Provider(2);

        Receipt receipt = operations.execute("payment-processing", () -> provider.pay("o-1"));

        assertThat(receipt).isEqualTo(new Receipt("o-1"));
        assertThat(timer.waits()).hasSize(2);
    }

    @Test
    void retriesAsynchronousCallWhenItsFutureFails() {
        Provider provider = new Provider(1);

        CompletableFuture<Receipt> receipt =
                operations.executeAsync("payment-processing", () -> provider.payLater("o-1"));

        assertThat(receipt).isNotDone();
        timer.advance(Duration.ofSeconds(2));
        assertThat(receipt).isCompletedWithValue(new Receipt("o-1"));
    }

    @Test
    void throwsBusinessErrorWithoutRetry() {
        Provider provider = new Provider(0);

        assertThatExceptionOfType(PaymentDeclined.class)
                .isThrownBy(() -> operations.execute("payment-processing", () -> provider.pay("declined-1")));
        assertThat(provider.calls).isEqualTo(1);
    }

    @Test
    void reportsNumberOfAttemptsAfterLastFailure() {
        Provider provider = new Provider(99);

        assertThatExceptionOfType(ResilienceException.class)
                .isThrownBy(() -> operations.execute("payment-processing", () -> provider.pay("o-1")))
                .satisfies(failure -> assertThat(failure.attempts()).isEqualTo(5));
    }

    @Test
    void runsWithDefaultSettings() {
        ResilientOperations operations = ResilientServiceInvoker.of(ResilienceSettings.DEFAULT, meters);

        assertThat(operations.execute("order-confirmation", () -> "confirmed")).isEqualTo("confirmed");
    }

    @Test
    void processesRedeliveredMessageOnce() {
        Provider provider = new Provider(0);
        Store store = new InMemoryStore("payment", Clock.systemUTC());

        try (IdempotentExecutor executor =
                IdempotentExecutor.start(store.idempotencyGuard(), IdempotencySettings.DEFAULT, meters)) {
            ProcessResult<Receipt> first = executor.tryProcess("payment", "evt-123", () -> provider.pay("o-1"));
            ProcessResult<Receipt> again = executor.tryProcess("payment", "evt-123", () -> provider.pay("o-1"));

            assertThat(first).isEqualTo(new ProcessResult.Ran<>(new Receipt("o-1"), false));
            assertThat(again).isEqualTo(new ProcessResult.AlreadyDone<>());
        }
        assertThat(provider.calls).isEqualTo(1);
    }
}
