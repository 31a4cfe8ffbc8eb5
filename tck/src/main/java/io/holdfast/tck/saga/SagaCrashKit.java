package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.saga.SagaStatus;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract of tracking when the tracker crashes before or after a durable write: one effect, another replica continues. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaCrashKit extends SagaKit {

    static List<Moment> starts() {
        return Moment.of(CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_ROWS, CommitPoint.COMMIT);
    }

    static List<Moment> records() {
        return Moment.of(CommitPoint.LOCK_HEAD, CommitPoint.WRITE_ROWS, CommitPoint.WRITE_TOKENS, CommitPoint.COMMIT);
    }

    @BeforeEach
    void requireCrashPoints() {
        require(Capability.CRASH_POINTS);
        world().start();
    }

    @ParameterizedTest
    @MethodSource("starts")
    void startsOneSagaIfTheCallerRetriesAfterACrash(Moment moment) {
        crashAt(moment, () -> world().create("o-1"));

        world().create("o-1").join();
        world().settle();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertThat(count("saga.completed")).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("records")
    void recordsEveryFactOnceAfterACrash(Moment moment) {
        world().create("o-1");
        world().create("o-2");

        crashAt(moment, () -> {
            world().work();
            world().work();
            world().work();
        });
        world().settle();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertStatus("o-2", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertThat(world().events("o-2")).containsExactly(CONFIRMED);
        assertThat(gauge("saga.active")).isZero();
    }

    @ParameterizedTest
    @MethodSource("starts")
    void timesOutOnceAfterACrash(Moment moment) {
        world().down(Trade.PAYMENT);
        world().create("o-1");
        world().settle();
        world().awaitAbsence(Trade.PAYMENT);

        crashAt(moment, () -> world().judge());
        world().settle();
        world().awaitAbsence(Trade.PAYMENT);
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertThat(world().events("o-1"))
                .containsExactly("OrderCreated", "OrderCancelled", "StockReserved", "StockReleased");
        world().up(Trade.PAYMENT);
        world().settle();
        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(count("saga.timedout")).isLessThanOrEqualTo(1);
    }

    private void crashAt(Moment moment, Runnable work) {
        harness().crashPoints().crashAt(moment);
        boolean crashed = world().crash(work);
        assertThat(crashed).as("crash %s", moment).isTrue();
    }
}
