package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Contract of the timeout detector with many sagas: it works in batches, without a query per saga. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaBatchesKit extends SagaKit {

    private static final int FEW = 400;
    private static final int MANY = 10_000;
    /** Queries of views, letters and tokens per batch of sagas, however large the batch is. */
    private static final int QUERIES_PER_BATCH = 20;

    private CountingStore counted;

    @BeforeEach
    void countCalls() {
        counted = new CountingStore(store());
    }

    @Test
    void timesOutInBatches() {
        timeOut(FEW);
    }

    @Test
    @Tag("long")
    void timesOutManyInBatches() {
        timeOut(MANY);
    }

    @Test
    void suspendsInBatches() {
        suspend(FEW);
    }

    @Test
    @Tag("long")
    void suspendsManyInBatches() {
        suspend(MANY);
    }

    private void timeOut(int orders) {
        world().start(counted);
        world().down(Trade.INVENTORY);
        create(orders);
        world().awaitAbsence(Trade.INVENTORY);
        counted.drain();

        int batches = judgeAll();

        assertThat(sagas().count(Trade.types(), SagaStatus.COMPENSATING, false, orders + 1))
                .isEqualTo(orders);
        assertThat(count("saga.timedout")).isEqualTo(orders);
        assertQueries(batches, orders);
    }

    private void suspend(int orders) {
        world().start(counted);
        world().handlers.fail("OrderCreated");
        create(orders);
        settleUntilParked(orders);
        world().passTime(SagaWorld.DEADLINE);
        world().work();
        counted.drain();

        int batches = judgeAll();

        assertThat(sagas().countSuspended(Trade.types(), orders + 1)).isEqualTo(orders);
        assertThat(count("saga.timedout")).isZero();
        assertQueries(batches, orders);
    }

    private void assertQueries(int batches, int orders) {
        assertThat(batches).isBetween(orders / world().settings().maxBatchSize(), orders / 20);
        assertThat(counted.drain())
                .allSatisfy((method, calls) ->
                        assertThat(calls).as(method).isLessThanOrEqualTo(QUERIES_PER_BATCH * (batches + 2)));
    }

    private void create(int orders) {
        for (int order = 0; order < orders; order++) {
            SagaWorld.submit("o-" + order, world().tracker());
            if (order % 500 == 499) {
                world().tracker().commit();
            }
        }
        world().tracker().commit();
    }

    private void settleUntilParked(int orders) {
        for (int round = 0; round < 200 && parked() < orders; round++) {
            world().work();
        }
        assertThat(parked()).isEqualTo(orders);
    }

    private long parked() {
        return world().participant(Trade.INVENTORY)
                .processor()
                .deadLetterQueue("stock")
                .size();
    }

    /** Runs the detector until no saga is due, and returns how many commits that took. */
    private int judgeAll() {
        int commits = 0;
        for (int step = 0; isAnyDue(); step++) {
            assertThat(step).as("steps").isLessThan(10_000);
            world().tracker().detect();
            commits += world().tracker().commit();
        }
        return commits;
    }

    private boolean isAnyDue() {
        return !store().viewStore().findDue(SagaView.NAME, world().now(), 1).isEmpty();
    }

    private SagaStateStore sagas() {
        return world().tracker().sagas();
    }
}
