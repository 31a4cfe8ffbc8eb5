package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations.Step;
import io.holdfast.saga.statistics.SagaStatistics;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of the saga statistics: replicas add what they have measured and lose nothing of each other, the counts are
 * halved daily, and a saga that waits much longer than usual is overdue.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaStatisticsKit extends SagaKit {

    /** The stored form, by step: [bucket, count, bucket, count, …]. */
    private record Stored(Instant halvedAt, Map<String, List<Long>> done, Map<String, List<Long>> undone) {}

    private static final View<Stored> STATISTICS = new View<>("saga-statistics", Stored.class);
    private static final Step PAYMENT = new Step(Trade.SAGA_TYPE, "PaymentProcessed", false);

    /** The bound of a bucket is 2^(bucket/4) ms. */
    private static final long BUCKET_OF_13_SECONDS = 55;

    private UnstableStore unstable;

    @BeforeEach
    void startOnAnUnstableStore() {
        unstable = new UnstableStore(store());
        world().start(unstable.store());
    }

    @Test
    void countsEachActionAndEachCompensationOnce() {
        world().handlers.refuse(Trade.CHARGE, "o-2");
        create(0, 2);
        create(2, 3);

        merge();
        merge();

        assertThat(count(stored().done(), "StockReserved")).isEqualTo(3);
        assertThat(count(stored().done(), "PaymentProcessed")).isEqualTo(2);
        assertThat(count(stored().done(), "OrderConfirmed")).isEqualTo(2);
        assertThat(stored().done()).doesNotContainKey("OrderCreated");
        assertThat(count(stored().undone(), "StockReserved")).isEqualTo(1);
        assertThat(stored().undone()).doesNotContainKeys("PaymentProcessed", "OrderConfirmed");
    }

    @Test
    void measuresHowLongAStepWasAwaited() {
        world().pause(world().participant(Trade.PAYMENT).processor());
        create(0, 1);
        world().pass(Duration.ofSeconds(8));
        world().resume(world().participant(Trade.PAYMENT).processor());

        merge();

        assertThat(stored().done().get("StockReserved")).containsExactly(0L, 1L);
        assertThat(stored().done().get("PaymentProcessed")).containsExactly(BUCKET_OF_13_SECONDS, 1L);
    }

    @Test
    void writesNothingWithoutNewMeasurements() {
        create(0, 1);
        merge();
        List<Long> before = stored().done().get("StockReserved");

        world().tracker().statistics().step();

        assertThat(world().tracker().commit()).isZero();
        assertThat(stored().done().get("StockReserved")).isEqualTo(before);
    }

    @Test
    void addsWhatTwoReplicasMeasure() {
        ServiceReplica other = world().startTracker(replica());
        create(0, 3);
        world().settle();
        submit(other, 3, 7);

        world().trackers().forEach(tracker -> tracker.statistics().merge());
        world().trackers().forEach(ServiceReplica::commit);

        assertThat(count(stored().done(), "StockReserved")).isEqualTo(7);
        assertThat(count(stored().done(), "OrderConfirmed")).isEqualTo(7);
    }

    @Test
    void keepsWhatWasStoredWhenAReplicaRestarts() {
        create(0, 100);
        merge();

        SagaStatistics restarted = world().restartTracker().statistics();
        restarted.step();

        assertThat(restarted.usual().byStep()).containsKey(PAYMENT);
        world().passTime(SagaWorld.BEYOND_LEASE);
        create(100, 102);
        merge();
        assertThat(count(stored().done(), "StockReserved")).isEqualTo(102);
    }

    @Test
    void halvesOnceADay() {
        ServiceReplica other = world().startTracker(replica());
        create(0, 4);
        mergeAll();
        Instant first = stored().halvedAt();
        world().pass(Duration.ofHours(23));
        create(4, 6);
        mergeAll();
        assertThat(stored().halvedAt()).isEqualTo(first);
        assertThat(count(stored().done(), "StockReserved")).isEqualTo(6);

        world().pass(Duration.ofHours(1));
        create(6, 8);
        submit(other, 8, 10);
        mergeAll();

        assertThat(stored().halvedAt()).isEqualTo(world().now());
        assertThat(count(stored().done(), "StockReserved")).isEqualTo(3 + 4);
        create(10, 11);
        mergeAll();
        assertThat(count(stored().done(), "StockReserved")).isEqualTo(3 + 5);
    }

    @Test
    void keepsMeasurementsThatCouldNotBeCommitted() {
        create(0, 2);
        unstable.commits().failCommits(100); // the committer retries a few times
        merge();
        assertThat(new ViewRows(store().viewStore(), codec).find(STATISTICS, Trade.SAGA_TYPE))
                .isEmpty();

        unstable.commits().failCommits(0);
        create(2, 3);
        merge();

        assertThat(count(stored().done(), "StockReserved")).isEqualTo(3);
    }

    @Test
    void showsNothingUntilAStepWasMeasuredOftenEnough() {
        create(0, 99);
        merge();
        refresh();
        assertThat(world().tracker().statistics().usual().byStep()).isEmpty();

        create(99, 100);
        merge();
        refresh();

        assertThat(world().tracker().statistics().usual().byStep())
                .containsEntry(PAYMENT, new UsualDuration(Duration.ofMillis(1), Duration.ofMillis(1)));
    }

    @Test
    void aSagaIsOverdueWhileItWaitsMuchLongerThanUsual() {
        create(0, 100);
        merge();
        world().pause(world().participant(Trade.PAYMENT).processor());
        create(100, 101);
        world().pass(Duration.ofSeconds(1));
        refresh();
        assertThat(isOverdue("o-100")).isFalse();
        assertThat(gauge("saga.overdue")).isZero();

        world().pass(Duration.ofMillis(1));
        refresh();

        assertThat(isOverdue("o-100")).isTrue();
        assertThat(isOverdue("o-1")).isFalse();
        assertThat(gauge("saga.overdue")).isEqualTo(1);
        world().resume(world().participant(Trade.PAYMENT).processor());
        refresh();
        assertThat(isOverdue("o-100")).isFalse();
        assertThat(gauge("saga.overdue")).isZero();
    }

    @Test
    void theGaugeIsUnknownWhileTheStoreDoesNotRespond() {
        assertThat(gauge("saga.overdue")).isNaN();
        refresh();
        assertThat(gauge("saga.overdue")).isZero();

        unstable.viewsDown(true);
        refresh();
        assertThat(gauge("saga.overdue")).isNaN();

        unstable.viewsDown(false);
        refresh();
        assertThat(gauge("saga.overdue")).isZero();
    }

    /** Creates orders and lets everything happen that follows. */
    private void create(int from, int to) {
        submit(world().tracker(), from, to);
    }

    private void submit(ServiceReplica tracker, int from, int to) {
        for (int order = from; order < to; order++) {
            SagaWorld.submit("o-" + order, tracker);
        }
        tracker.commit();
        world().settle();
    }

    private void merge() {
        world().tracker().statistics().merge();
        world().tracker().commit();
    }

    private void mergeAll() {
        world().trackers().forEach(tracker -> tracker.statistics().merge());
        world().trackers().forEach(ServiceReplica::commit);
    }

    /** Reads what was merged, and counts. */
    private void refresh() {
        world().tracker().statistics().step();
        world().tracker().commit();
    }

    private boolean isOverdue(String order) {
        SagaState saga = world().find(order);
        return world().tracker().statistics().usual().isOverdue(saga, world().now());
    }

    private Stored stored() {
        return new ViewRows(store().viewStore(), codec)
                .find(STATISTICS, Trade.SAGA_TYPE)
                .orElseThrow();
    }

    private static long count(Map<String, List<Long>> histograms, String step) {
        List<Long> stored = histograms.getOrDefault(step, List.of());
        long count = 0;
        for (int i = 1; i < stored.size(); i += 2) {
            count += stored.get(i);
        }
        return count;
    }
}
