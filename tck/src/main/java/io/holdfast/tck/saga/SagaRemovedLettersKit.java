package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.eventsourcing.Command;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaView;
import io.holdfast.view.View;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contract of letters that leave their queue: a saga whose letter is removed gets its full time again, and a replay after
 * the end of the saga has no effect that remains. Letters of the tracker are in the store under test, those of the
 * participants in memory.
 */
public abstract class SagaRemovedLettersKit extends SagaKit {

    private static final Duration PAST_DEADLINE = SagaWorld.DEADLINE.plusSeconds(1);
    private static final Duration LONGEST_SUSPENSION = Duration.ofHours(1);

    /** The event whose handler does the next step of an order, by service. */
    private static final Map<String, String> TRIGGERS =
            Map.of(Trade.INVENTORY, "OrderCreated", Trade.PAYMENT, "StockReserved", Trade.TRACKER, "PaymentProcessed");

    @ParameterizedTest
    @ValueSource(strings = {Trade.INVENTORY, Trade.PAYMENT, Trade.TRACKER})
    void aDiscardedLetterGivesTheFullDeadlineAgain(String service) {
        suspendedOrder(service);

        DeadLetter letter =
                queue(service).deadLetters().iterator().next().iterator().next();
        assertThat(queue(service).evict(letter)).isTrue();

        assertFullDeadlineThenTimeout(service);
    }

    @ParameterizedTest
    @ValueSource(strings = {Trade.INVENTORY, Trade.PAYMENT, Trade.TRACKER})
    void aLetterThatItsPolicyEvictsGivesTheFullDeadlineAgain(String service) {
        suspendedOrder(service);

        world().handlers.evictRepeatedFailures();
        replayAll(service);

        assertFullDeadlineThenTimeout(service);
    }

    @Test
    void aLetterThatAResetRemovesGivesTheFullDeadlineAgain() {
        suspendedOrder(Trade.INVENTORY);
        world().pause(replica(Trade.INVENTORY).processor());
        world().handlers.repair();

        CompletableFuture<Integer> reset = replica(Trade.INVENTORY).processor().reset(StartAt.BEGINNING);
        world().settle();
        assertThat(reset).isCompleted();
        assertFullDeadlineThenTimeout(Trade.INVENTORY);
        world().resume(replica(Trade.INVENTORY).processor());

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentWithdrawn");
    }

    @ParameterizedTest
    @ValueSource(strings = {Trade.INVENTORY, Trade.PAYMENT, Trade.TRACKER})
    void anEventThatAResetHandlesAgainCompletesTheSaga(String service) {
        suspendedOrder(service);
        world().handlers.repair();

        CompletableFuture<Integer> reset = replica(service).processor().reset(StartAt.BEGINNING);
        world().pass(PAST_DEADLINE);

        assertThat(reset).isCompleted();
        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertThat(count("saga.timedout")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {Trade.PAYMENT, Trade.TRACKER})
    void refusesAReplayAfterTheSagaWasSuspendedTooLong(String service) {
        suspendAtMost(LONGEST_SUSPENSION);
        suspendedOrder(service);
        for (Duration passed = Duration.ZERO;
                passed.compareTo(LONGEST_SUSPENSION) <= 0;
                passed = passed.plusMinutes(5)) {
            world().pass(Duration.ofMinutes(5));
        }
        world().pass(Duration.ofSeconds(6));
        assertStatus("o-1", SagaStatus.COMPENSATED);
        List<String> events = world().events("o-1");
        assertThat(queue(service).size()).isEqualTo(1);

        world().handlers.repair();
        replayAll(service);

        assertThat(queue(service).size()).isZero();
        assertThat(world().events("o-1"))
                .isEqualTo(events)
                .contains("OrderCancelled")
                .doesNotContain("OrderConfirmed");
        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().find("o-1").attentionReason()).isEmpty();
        assertThat(count("saga.timedout")).isEqualTo(1);
        assertThat(count("saga.compensated")).isEqualTo(1);
    }

    @Test
    void aReplayAfterAnOperatorGaveUpLeavesNoEffect() {
        suspendedOrder(Trade.INVENTORY);
        cancel("o-1");
        assertStatus("o-1", SagaStatus.COMPENSATING);
        giveUp("o-1");
        assertStatus("o-1", SagaStatus.FAILED);

        world().handlers.repair();
        replayAll(Trade.INVENTORY); // the undo is parked behind the action

        assertThat(queue(Trade.INVENTORY).size()).isZero();
        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentWithdrawn");
        assertStatus("o-1", SagaStatus.FAILED);
        assertThat(count("saga.failed")).isEqualTo(1);
        assertThat(count("saga.compensated")).isZero();
    }

    /** Starts a world with an order that is overdue, and suspended by a letter of this service. */
    private void suspendedOrder(String service) {
        world().start();
        world().handlers.fail(Objects.requireNonNull(TRIGGERS.get(service)));
        var unused = world().create("o-1");
        world().settle();
        assertThat(queue(service).size()).isEqualTo(1);
        world().pass(PAST_DEADLINE);
        assertThat(Objects.requireNonNull(deadline("o-1").suspended()).letters())
                .singleElement()
                .asString()
                .startsWith(service + "/");
    }

    private void assertFullDeadlineThenTimeout(String service) {
        assertThat(queue(service).size()).isZero();
        world().pass(Duration.ofSeconds(15));
        assertThat(deadline("o-1").suspended()).isNull();
        assertThat(deadline("o-1").at()).isEqualTo(world().now().plus(SagaWorld.DEADLINE));
        world().pass(SagaWorld.DEADLINE.minusMillis(1));
        assertThat(count("saga.timedout")).isZero();
        world().pass(Duration.ofSeconds(6)); // an idle segment stores what it has read after a few seconds

        assertThat(world().events("o-1")).containsOnlyOnce("OrderCancelled");
        assertThat(count("saga.timedout")).isEqualTo(1);
    }

    private SequencedDeadLetterQueue queue(String service) {
        ServiceReplica replica = replica(service);
        return replica.processor()
                .deadLetterQueue(replica.processor().components().get(0).name());
    }

    /** Ends a compensation, as an operator does. */
    private void giveUp(String order) {
        View<SagaState> view = SagaView.of(world().settings());
        var unused = world().tracker().commands().submit(Command.keyed("give-up", order), decision -> {
            SagaState saga = Objects.requireNonNull(decision.row(view, SagaWorld.saga(order)));
            decision.put(view, SagaWorld.saga(order), saga.gaveUp(world().now(), "settled by phone"));
        });
        world().settle();
    }
}
