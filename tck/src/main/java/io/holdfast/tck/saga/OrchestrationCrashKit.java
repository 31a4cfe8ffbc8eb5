package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.saga.SagaStatus;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract of orchestrated sagas when the orchestrator crashes before or after any of its commits: one effect per step. */
public abstract class OrchestrationCrashKit extends OrchestrationKit {

    /** More commits than a saga needs in either direction. */
    private static final int COMMITS = 7;

    /** Every point, and at each the first, second, … time that it is reached. */
    static Stream<Arguments> crashes() {
        List<Moment> moments = Moment.of(
                CommitPoint.LOCK_HEAD,
                CommitPoint.WRITE_EVENTS,
                CommitPoint.WRITE_ROWS,
                CommitPoint.WRITE_TOKENS,
                CommitPoint.COMMIT);
        return moments.stream()
                .flatMap(moment -> IntStream.range(0, COMMITS).mapToObj(rounds -> Arguments.of(moment, rounds)));
    }

    @BeforeEach
    void requireCrashPoints() {
        require(Capability.CRASH_POINTS);
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void completesOnceAfterACrash(Moment moment, int rounds) {
        runWithCrash(moment, rounds);

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertThat(script.keys()).isEqualTo(1);
        assertThat(letters()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void compensatesOnceAfterACrash(Moment moment, int rounds) {
        script.reject("confirm");

        runWithCrash(moment, rounds);

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated",
                        "OrderCancelled",
                        "StockReserved",
                        "StockReleased",
                        "PaymentProcessed",
                        "PaymentRefunded");
        assertThat(script.keys()).isEqualTo(2);
        assertThat(letters()).isEmpty();
    }

    /** @param rounds how far the saga has come when the crash is armed */
    private void runWithCrash(Moment moment, int rounds) {
        boolean crashed = world().crash(() -> {
            var unused = start("o-1");
            for (int round = 0; round < rounds; round++) {
                world().work();
            }
            harness().crashPoints().crashAt(moment);
            world().settle();
        });
        harness().crashPoints().clear();
        var unused = start("o-1"); // the caller repeats the command
        world().settle();
        world().settle();
        assertThat(crashed || rounds > 0).isTrue();
    }
}
