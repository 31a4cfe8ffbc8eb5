package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.eventsourcing.Command;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.tracking.TrackingProcessor;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Contract of timeouts: a saga times out only after everything was heard, once, together with its compensation. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaTimeoutKit extends SagaKit {

    private static final Duration PAST_DEADLINE = SagaWorld.DEADLINE.plusSeconds(1);

    @Test
    void timesOutWhileAParticipantIsDownAndIsCompensatedOnceItIsBack() {
        world().start();
        world().down(Trade.PAYMENT);
        world().create("o-1");
        world().settle();
        world().pass(SagaWorld.DEADLINE.minusMillis(1));
        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertThat(world().tracker().timeouts()).isEmpty();

        world().passAwayFrom(Trade.PAYMENT);
        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertThat(world().events("o-1"))
                .containsExactly("OrderCreated", "OrderCancelled", "StockReserved", "StockReleased");
        assertThat(world().find("o-1").reason()).isEqualTo("timed out waiting for PaymentProcessed of service payment");
        assertThat(world().find("o-1").expected()).singleElement().satisfies(expected -> assertThat(expected.service())
                .isEqualTo(Trade.PAYMENT));
        assertThat(world().tracker().timeouts()).singleElement().satisfies(timeout -> {
            assertThat(timeout.key()).isEqualTo("o-1");
            assertThat(timeout.compensating()).isTrue();
        });
        world().up(Trade.PAYMENT);
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .startsWith("OrderCreated", "OrderCancelled", "StockReserved", "StockReleased")
                .containsAnyOf("PaymentWithdrawn", "PaymentRefunded")
                .doesNotHaveDuplicates();
    }

    @Test
    void timesOutWhileAllParticipantsAreUpAndNoneIsToBlame() {
        world().start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().settle();

        world().pass(PAST_DEADLINE);
        assertStatus("o-1", SagaStatus.COMPENSATING);
        world().resume(world().participant(Trade.PAYMENT).processor());

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(count("saga.timedout")).isEqualTo(1);
    }

    @Test
    void doesNotTimeOutWhatTheTrackerHasNotRead() {
        world().start();
        world().pause(world().tracker().processor(TrackingProcessor.NAME));
        world().create("o-1");
        world().settle();
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertStatus("o-1", SagaStatus.COMPLETED); // its own stream is recorded in the unit that appends
        world().pause(world().tracker().processor());
        world().create("o-2");
        world().settle();

        world().pass(PAST_DEADLINE);
        world().pass(Duration.ofMinutes(10));
        assertThat(world().events("o-2")).containsExactly("OrderCreated", "StockReserved", "PaymentProcessed");
        assertStatus("o-2", SagaStatus.STARTED);
        world().resume(world().tracker().processor(TrackingProcessor.NAME));
        assertStatus("o-2", SagaStatus.IN_PROGRESS); // the processor that confirms the order has not read it yet
        world().resume(world().tracker().processor());

        assertStatus("o-2", SagaStatus.COMPLETED);
        assertThat(world().events("o-2")).containsExactly(CONFIRMED);
    }

    @Test
    void doesNotTimeOutWhileTheWireIsDown() {
        world().start();
        world().create("o-1");
        world().work();
        runParticipants();
        assertThat(world().events("o-1")).contains("PaymentProcessed");

        world().wire.disconnect();
        world().pass(Duration.ofSeconds(5));
        world().pass(PAST_DEADLINE);
        world().pass(Duration.ofMinutes(10));
        assertThat(world().events("o-1")).doesNotContain("OrderCancelled");
        world().wire.reconnect();
        world().pass(Duration.ofSeconds(1));

        assertStatus("o-1", SagaStatus.COMPLETED);
    }

    @Test
    void doesNotTimeOutAfterARestartUntilTheOwnersAreKnown() {
        world().start();
        world().create("o-1");
        world().work();
        runParticipants();
        assertThat(world().events("o-1")).contains("PaymentProcessed");
        world().stopTrackers();
        world().passTime(PAST_DEADLINE);
        world().wire.restart(); // neither records nor announcements are left

        ServiceReplica restarted = world().restartTracker();
        for (int step = 0; step < 5; step++) {
            restarted.work();
            world().judge();
        }
        assertThat(world().events("o-1")).doesNotContain("OrderCancelled");
        world().settle();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
    }

    @Test
    void completionBetweenQuestionAndJudgementWins() {
        overdueOrder();

        world().tracker().detect();
        confirm("o-1", world().tracker());
        world().tracker().commit();
        world().judge();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).doesNotContain("OrderCancelled");
        assertThat(count("saga.timedout")).isZero();
    }

    @Test
    void completionOnAnotherReplicaBetweenJudgementAndCommitWins() {
        overdueOrder();
        ServiceReplica other = world().startTracker(replica());

        world().tracker().detect();
        world().tracker().detect();
        confirm("o-1", other);
        other.commit();
        world().tracker().commit();
        world().judge();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).doesNotContain("OrderCancelled");
    }

    @Test
    void twoDetectorsTimeOutOnce() {
        overdueOrder();
        ServiceReplica other = world().startTracker(replica());
        other.work();

        for (int step = 0; step < 3; step++) {
            world().tracker().detect();
            other.detect();
        }
        world().tracker().commit();
        other.commit();
        world().judge();

        assertThat(world().events("o-1")).containsOnlyOnce("OrderCancelled");
        assertThat(count("saga.timedout")).isEqualTo(1);
    }

    @Test
    void aPausedReplicaThatResumesChangesNothing() {
        overdueOrder();
        ServiceReplica paused = world().tracker();
        paused.detect();
        paused.detect();
        ServiceReplica other = world().startTracker(replica());
        world().trackers().remove(paused);
        world().passAwayFrom(Trade.PAYMENT);
        world().up(Trade.PAYMENT);
        world().settle();
        assertStatus("o-1", SagaStatus.COMPENSATED);

        paused.commit();
        world().trackers().add(paused);
        world().settle();

        assertThat(world().events("o-1")).containsOnlyOnce("OrderCancelled");
        assertThat(world().saga("o-1", other).status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(count("saga.timedout")).isEqualTo(1);
    }

    @Test
    void aClockThatIsSetTimesNothingOutEarly() {
        world().start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().settle();

        world().setWallClocks(Duration.ofHours(1));
        world().settle();
        world().create("o-2");
        world().pass(SagaWorld.DEADLINE.minusSeconds(1));
        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertStatus("o-2", SagaStatus.IN_PROGRESS);
        world().setWallClocks(Duration.ofHours(-2));
        world().create("o-3");
        world().pass(Duration.ofSeconds(6)); // an idle segment stores what it has read after a few seconds
        world().pass(Duration.ofSeconds(6));

        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertStatus("o-2", SagaStatus.COMPENSATING);
        assertStatus("o-3", SagaStatus.IN_PROGRESS);
        world().pass(SagaWorld.DEADLINE);
        assertStatus("o-3", SagaStatus.COMPENSATING);
    }

    @Test
    void waitsForAnOperatorWithoutAutomaticCompensation() {
        world().settings(world().settings().withAutoCompensate(false)).start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().settle();

        world().pass(PAST_DEADLINE);
        world().pass(Duration.ofDays(30));
        assertStatus("o-1", SagaStatus.TIMED_OUT);
        assertThat(world().events("o-1")).doesNotContain("OrderCancelled");
        assertThat(count("saga.timedout")).isEqualTo(1);
        assertThat(gauge("saga.active")).isEqualTo(1);
        assertThat(world().tracker().timeouts()).singleElement().satisfies(timeout -> assertThat(timeout.compensating())
                .isFalse());
        world().resume(world().participant(Trade.PAYMENT).processor());

        assertStatus("o-1", SagaStatus.COMPLETED);
    }

    @Test
    void judgesNothingWhileTimeoutsAreDisabled() {
        world().settings(world().settings().withTimeoutEnabled(false)).start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().settle();

        world().pass(Duration.ofDays(1));

        assertStatus("o-1", SagaStatus.IN_PROGRESS);
    }

    @Test
    void judgesNothingAfterTimeoutsWereDisabled() {
        world().start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().settle();

        world().settings(world().settings().withTimeoutEnabled(false));
        world().restartTracker();
        world().pass(Duration.ofDays(1));

        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        assertThat(store().viewStore().findDue("sagas", world().now(), 1)).isEmpty();
    }

    @Test
    void theTypeDeterminesTheDeadline() {
        SagaSettings defaults = world().settings();
        world().settings(new SagaSettings(
                        true,
                        defaults.checkInterval(),
                        defaults.defaultDeadline(),
                        true,
                        defaults.maxBatchSize(),
                        Map.of(Trade.SAGA_TYPE, Duration.ofMinutes(5)),
                        defaults.maxSuspended(),
                        defaults.retention()))
                .start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().settle();

        world().pass(Duration.ofMinutes(5).minusSeconds(1));
        assertStatus("o-1", SagaStatus.IN_PROGRESS);
        world().pass(Duration.ofSeconds(1));

        assertStatus("o-1", SagaStatus.COMPENSATING);
    }

    /** Starts a world with an order that can be judged, because its payment is down and everything else was read. */
    private void overdueOrder() {
        world().start();
        world().down(Trade.PAYMENT);
        world().create("o-1");
        world().settle();
        world().awaitAbsence(Trade.PAYMENT);
    }

    private void runParticipants() {
        for (int round = 0; round < 4; round++) {
            world().participant(Trade.INVENTORY).work();
            world().participant(Trade.PAYMENT).work();
        }
    }

    private static void confirm(String order, ServiceReplica replica) {
        replica.commands()
                .submit(
                        Command.keyed("confirm", order).inSaga(Trade.SAGA_TYPE, SagaWorld.saga(order)),
                        decision -> decision.append(Trade.ORDER, order, new Trade.OrderConfirmed(1)));
    }
}
