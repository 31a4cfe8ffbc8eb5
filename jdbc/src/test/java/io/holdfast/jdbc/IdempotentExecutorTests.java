package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.commit.CommitPoint;
import io.holdfast.idempotency.IdempotencySettings;
import io.holdfast.idempotency.IdempotentExecutor;
import io.holdfast.idempotency.ProcessResult;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.SimulatedCrash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Idempotent work of two replicas on one real database. */
@ParameterizedClass
@EnumSource(Dialect.class)
class IdempotentExecutorTests {

    private static final IdempotencySettings SETTINGS = IdempotencySettings.DEFAULT;

    private final AtomicInteger charges = new AtomicInteger();
    private final JdbcStoreHarness harness;
    private final IdempotentExecutor here;
    private final IdempotentExecutor there;

    IdempotentExecutorTests(Dialect dialect) {
        harness = dialect == Dialect.H2 ? JdbcStoreHarness.h2() : JdbcStoreHarness.postgresql();
        here = over(harness.store());
        there = over(harness.replica());
    }

    private static IdempotentExecutor over(Store store) {
        return new IdempotentExecutor(store.idempotencyGuard(), SETTINGS, new SimpleMeterRegistry());
    }

    private ProcessResult<Integer> charge(IdempotentExecutor replica) {
        return replica.tryProcess("billing", "charge-1", charges::incrementAndGet);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void isDoneForAllReplicasUntilTheTtlExpires() {
        assertThat(charge(here)).isEqualTo(new ProcessResult.Ran<>(1, false));
        assertThat(charge(there)).isEqualTo(new ProcessResult.AlreadyDone<>());

        harness.passTime(SETTINGS.ttl());

        assertThat(charge(there)).isEqualTo(new ProcessResult.Ran<>(2, false));
    }

    @Test
    void isClaimedByAnotherReplicaAfterACrashBeforeCompletion() {
        harness.crashPoints().crashAt(new Moment(CommitPoint.GUARD_COMPLETE, false));
        assertThatExceptionOfType(SimulatedCrash.class).isThrownBy(() -> charge(here));
        harness.crashPoints().clear();
        assertThat(charge(there)).isEqualTo(new ProcessResult.InProgress<>());

        harness.passTime(SETTINGS.lease());

        assertThat(charge(there)).isEqualTo(new ProcessResult.Ran<>(2, false));
    }

    @Test
    void staysClaimedByASlowReplicaThatRenews() {
        ProcessResult<Integer> result = here.tryProcess("billing", "charge-1", () -> {
            for (int round = 0; round < 5; round++) {
                harness.passTime(here.step());
                assertThat(charge(there)).isEqualTo(new ProcessResult.InProgress<>());
            }
            return charges.incrementAndGet();
        });

        assertThat(result).isEqualTo(new ProcessResult.Ran<>(1, false));
        assertThat(charge(there)).isEqualTo(new ProcessResult.AlreadyDone<>());
    }

    @Test
    void isLostByASlowReplicaThatDoesNotRenew() {
        ProcessResult<Integer> result = here.tryProcess("billing", "charge-1", () -> {
            harness.passTime(SETTINGS.lease());
            assertThat(charge(there)).isEqualTo(new ProcessResult.Ran<>(1, false));
            return charges.incrementAndGet();
        });

        assertThat(result).isEqualTo(new ProcessResult.Ran<>(2, true));
    }

    @Test
    void isReleasedImmediatelyAfterAFailure() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> here.tryProcess("billing", "charge-1", () -> {
                    throw new IllegalStateException("down");
                }));

        assertThat(charge(there).ran()).isTrue();
    }

    @Test
    void runsOnceForTwoConcurrentReplicas() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 1; round <= 20; round++) {
                String work = "round-" + round;
                List<Callable<Boolean>> both = List.of(() -> race(start, here, work), () -> race(start, there, work));
                int ran = 0;
                for (Future<Boolean> result : threads.invokeAll(both, 60, TimeUnit.SECONDS)) {
                    ran += result.get() ? 1 : 0;
                }
                assertThat(ran).isEqualTo(1);
                assertThat(charges).hasValue(round);
            }
        } finally {
            threads.shutdown();
        }
    }

    private boolean race(CyclicBarrier start, IdempotentExecutor replica, String work) throws Exception {
        start.await(30, TimeUnit.SECONDS);
        return replica.tryProcess("billing", work, charges::incrementAndGet).ran();
    }
}
