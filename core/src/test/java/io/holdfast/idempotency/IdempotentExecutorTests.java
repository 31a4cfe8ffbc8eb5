package io.holdfast.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdempotentExecutorTests {

    private static final Duration LEASE = IdempotencySettings.DEFAULT_LEASE;
    private static final Duration TTL = IdempotencySettings.DEFAULT_TTL;

    private final ManualClock clock = new ManualClock();
    private final Points points = new Points();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final IdempotencyGuard guard = new InMemoryStore("billing", clock, points).idempotencyGuard();
    private final IdempotentExecutor work = new IdempotentExecutor(guard, IdempotencySettings.DEFAULT, meters);
    private int charges;

    private ProcessResult<String> charge() {
        return work.tryProcess("billing", "charge-1", () -> {
            charges++;
            return "charged";
        });
    }

    private double checks(String result) {
        return meters.get("idempotency.checks").tag("result", result).counter().count();
    }

    @Test
    void runsWorkOnce() {
        assertThat(charge()).isEqualTo(new ProcessResult.Ran<>("charged", false));

        assertThat(charge()).isEqualTo(new ProcessResult.AlreadyDone<>());
        assertThat(charges).isEqualTo(1);
    }

    @Test
    void reportsWhetherWorkRan() {
        assertThat(charge().ran()).isTrue();
        assertThat(charge().ran()).isFalse();
    }

    @Test
    void runsWorkWithoutResult() {
        Runnable charging = () -> charges++;

        assertThat(work.tryProcess("billing", "charge-1", charging).ran()).isTrue();
        assertThat(work.tryProcess("billing", "charge-1", charging).ran()).isFalse();

        assertThat(charges).isEqualTo(1);
    }

    @Test
    void runsWorkOncePerConsumer() {
        charge();

        assertThat(work.tryProcess("shipping", "charge-1", () -> "shipped").ran())
                .isTrue();
    }

    @Test
    void reportsWorkInProgress() {
        work.tryProcess("billing", "charge-1", () -> {
            assertThat(charge()).isEqualTo(new ProcessResult.InProgress<>());
            return "charged";
        });

        assertThat(charges).isZero();
    }

    @Test
    void runsAgainWhenTtlHasPassed() {
        charge();
        clock.advance(TTL.minusMillis(1));
        assertThat(charge().ran()).isFalse();

        clock.advance(Duration.ofMillis(1));

        assertThat(charge().ran()).isTrue();
    }

    @Test
    void allowsImmediateRetryAfterFailure() {
        IllegalStateException failure = new IllegalStateException("down");
        assertThatThrownBy(() -> work.tryProcess("billing", "charge-1", () -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(charge().ran()).isTrue();
    }

    @Test
    void throwsFailureOfWorkEvenIfReleaseFails() {
        points.failBefore(CommitPoint.GUARD_RELEASE, new RetryableException("store down"));
        IllegalStateException failure = new IllegalStateException("down");

        assertThatThrownBy(() -> work.tryProcess("billing", "charge-1", () -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .hasSuppressedException(new RetryableException("store down"));

        clock.advance(LEASE);
        assertThat(charge().ran()).isTrue();
    }

    @Test
    void runsAgainAfterLeaseExpiresIfProcessCrashesBeforeCompletion() {
        points.failBefore(CommitPoint.GUARD_COMPLETE, new SimulatedCrash());
        assertThatExceptionOfType(SimulatedCrash.class).isThrownBy(this::charge);
        assertThat(charge()).isEqualTo(new ProcessResult.InProgress<>());

        clock.advance(LEASE);

        assertThat(charge().ran()).isTrue();
        assertThat(charges).isEqualTo(2);
    }

    @Test
    void doesNotReleaseClaimWhenCompletionFails() {
        points.failBefore(CommitPoint.GUARD_COMPLETE, new RetryableException("store down"));

        assertThatExceptionOfType(RetryableException.class).isThrownBy(this::charge);

        assertThat(charge()).isEqualTo(new ProcessResult.InProgress<>());
    }

    @Test
    void stopsRenewingWhenWorkEnds() {
        points.failBefore(CommitPoint.GUARD_COMPLETE, new RetryableException("store down"));
        assertThatExceptionOfType(RetryableException.class).isThrownBy(this::charge);

        clock.advance(LEASE.dividedBy(2));
        work.step();

        clock.advance(LEASE.dividedBy(2));
        assertThat(charge().ran()).isTrue();
    }

    @Test
    void renewsLeaseWhileWorkRuns() {
        ProcessResult<String> result = work.tryProcess("billing", "charge-1", () -> {
            for (int round = 0; round < 9; round++) {
                clock.advance(work.step());
                assertThat(charge()).isEqualTo(new ProcessResult.InProgress<>());
            }
            return "charged at last";
        });

        assertThat(result).isEqualTo(new ProcessResult.Ran<>("charged at last", false));
        assertThat(charge()).isEqualTo(new ProcessResult.AlreadyDone<>());
        assertThat(charges).isZero();
    }

    @Test
    void keepsLeaseWhenOneRenewalFails() {
        work.tryProcess("billing", "charge-1", () -> {
            points.failBefore(CommitPoint.GUARD_RENEW, new RetryableException("store down"));
            clock.advance(work.step());
            clock.advance(work.step());
            clock.advance(work.step());
            assertThat(charge()).isEqualTo(new ProcessResult.InProgress<>());
            return "charged";
        });
    }

    @Test
    void reportsLostLeaseWhenAnotherCallerClaimsWork() {
        ProcessResult<String> result = work.tryProcess("billing", "charge-1", () -> {
            clock.advance(LEASE);
            charge();
            work.step();
            return "charged too";
        });

        assertThat(result).isEqualTo(new ProcessResult.Ran<>("charged too", true));
        assertThat(charge()).isEqualTo(new ProcessResult.AlreadyDone<>());
    }

    @Test
    void rejectsWorkThatReturnsFuture() {
        assertThatThrownBy(() -> work.tryProcess("billing", "charge-1", () -> new CompletableFuture<String>()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("returned a future, so its completion cannot be tracked");

        assertThat(charge()).isEqualTo(new ProcessResult.InProgress<>());
    }

    @Test
    void countsHitsAndMisses() {
        assertThat(checks("hit")).isZero();
        assertThat(checks("miss")).isZero();

        work.tryProcess("billing", "charge-1", this::charge);
        charge();

        assertThat(checks("miss")).isEqualTo(1);
        assertThat(checks("hit")).isEqualTo(2);
    }

    @Test
    void runsEveryTimeWhenDisabled() {
        IdempotentExecutor disabled = new IdempotentExecutor(guard, IdempotencySettings.DEFAULT.enabled(false), meters);
        charge();

        assertThat(disabled.tryProcess("billing", "charge-1", () -> "charged").ran())
                .isTrue();
        assertThat(disabled.tryProcess("billing", "charge-1", () -> "charged").ran())
                .isTrue();
    }

    @Test
    void renewsLeasesOnSeparateThread() {
        AtomicInteger renewals = points.count(CommitPoint.GUARD_RENEW);
        try (IdempotentExecutor started =
                IdempotentExecutor.start(guard, IdempotencySettings.DEFAULT.lease(Duration.ofSeconds(1)), meters)) {
            started.tryProcess("billing", "charge-1", () -> {
                await().until(() -> renewals.get() >= 2);
                return "charged";
            });
        }

        assertThat(renewals).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void reportsAllInvalidSettingsTogether() {
        assertThatThrownBy(() -> new IdempotencySettings(true, Duration.ZERO, Duration.ofMillis(-1)))
                .isInstanceOf(PermanentException.class)
                .hasMessage("invalid settings: framework.idempotency.ttl is PT0S, but must be 1s or more;"
                        + " framework.idempotency.lease is PT-0.001S, but must be 1s or more");
    }

    /** Simulates a crash of the process. */
    private static final class SimulatedCrash extends Error {}

    /** Makes a write fail once, before it happens, and counts writes. */
    private static final class Points implements CommitPoint.Observer {

        private final Map<CommitPoint, Throwable> failures = new EnumMap<>(CommitPoint.class);
        private final Map<CommitPoint, AtomicInteger> counts = new EnumMap<>(CommitPoint.class);

        void failBefore(CommitPoint point, Throwable failure) {
            failures.put(point, failure);
        }

        AtomicInteger count(CommitPoint point) {
            AtomicInteger count = new AtomicInteger();
            counts.put(point, count);
            return count;
        }

        @Override
        public void before(CommitPoint point) {
            Throwable failure = failures.remove(point);
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
        }

        @Override
        public void after(CommitPoint point) {
            AtomicInteger count = counts.get(point);
            if (count != null) {
                count.incrementAndGet();
            }
        }
    }
}
