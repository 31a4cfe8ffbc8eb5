package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepStatus;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.tracking.TrackingProcessor;
import io.holdfast.view.RowCursor;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Contract of tracking: every fact is recorded once, whatever repeats, arrives late or arrives out of order. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaTrackingKit extends SagaKit {

    @Test
    void completesWhenEveryStepIsDone() {
        world().start();

        world().create("o-1").join();
        assertStatus("o-1", SagaStatus.STARTED);
        world().settle();

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
    }

    @Test
    void compensatesWhenTheFirstParticipantRefuses() {
        world().start();
        world().handlers.refuse(Trade.STOCK, "o-1");

        world().create("o-1");
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly("OrderCreated", "OrderCancelled", "StockReservationFailed", "PaymentWithdrawn");
        assertThat(world().find("o-1").reason()).isEqualTo("sold out");
    }

    @Test
    void compensatesWhenTheLastParticipantRefuses() {
        world().start();
        world().handlers.refuse(Trade.CHARGE, "o-1");

        world().create("o-1");
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly("OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentFailed");
    }

    /** Both statuses share a place in the index. */
    @Test
    void listsStartedSagasApartFromThoseInProgress() {
        world().start();
        List.of("o-1", "o-3", "o-4").forEach(order -> world().handlers.fail("OrderCreated", order));
        List.of("o-2", "o-5").forEach(order -> world().handlers.fail("PaymentProcessed", order));
        for (int number = 1; number <= 6; number++) {
            world().create("o-" + number);
        }
        world().settle();

        assertThat(list(SagaStatus.STARTED, 2)).containsExactlyInAnyOrder("o-1", "o-3", "o-4");
        assertThat(list(SagaStatus.IN_PROGRESS, 1)).containsExactlyInAnyOrder("o-2", "o-5");
        assertThat(list(SagaStatus.COMPLETED, 1)).containsExactly("o-6");
        SagaStateStore sagas = world().tracker().sagas();
        assertThat(sagas.countActive(Trade.types(), 10)).isEqualTo(5);
        assertThat(sagas.countActive(Trade.types(), 4)).isEqualTo(4);
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> sagas.count(Trade.types(), SagaStatus.STARTED, null, 10))
                .withMessageContaining("cannot be counted alone");
    }

    /** Returns the orders of the sagas with a status, from all pages. */
    private List<String> list(SagaStatus status, int pageSize) {
        List<String> orders = new ArrayList<>();
        RowCursor after = null;
        List<StoredSaga> page;
        do {
            page = world().tracker().sagas().list(Trade.types(), status, null, after, pageSize);
            assertThat(page).hasSizeLessThanOrEqualTo(pageSize);
            for (StoredSaga saga : page) {
                orders.add(saga.state().key());
                after = saga.cursor();
            }
        } while (!page.isEmpty());
        return orders;
    }

    @Test
    void startsOneSagaForACommandRepeatedOnAnotherReplica() {
        world().start();
        ServiceReplica other = world().startTracker(replica());
        CompletableFuture<CommandResult> first = SagaWorld.submit("o-1", world().tracker());
        CompletableFuture<CommandResult> second = SagaWorld.submit("o-1", other);

        world().tracker().commit();
        other.commit();
        world().settle();

        assertThat(second.join().events()).isEqualTo(first.join().events());
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertThat(count("saga.started")).isEqualTo(1);
    }

    @Test
    void recordsTheSameRowAfterAReset() {
        world().start();
        world().create("o-1");
        world().handlers.refuse(Trade.CHARGE, "o-2");
        world().create("o-2");
        world().settle();
        List<SagaState> before = List.of(world().find("o-1"), world().find("o-2"));

        CompletableFuture<Integer> reset =
                world().tracker().processor(TrackingProcessor.NAME).reset(StartAt.BEGINNING);
        world().settle();

        assertThat(reset).isCompleted();
        assertThat(List.of(world().find("o-1"), world().find("o-2"))).isEqualTo(before);
        assertThat(count("saga.completed")).isEqualTo(1);
        assertThat(count("saga.compensated")).isEqualTo(1);
        assertThat(count("saga.orphans")).isZero();
    }

    @Test
    void recordsWhatTheWireDeliversTwice() {
        world().start();
        world().create("o-1");
        world().settle();
        SagaState before = world().find("o-1");

        world().wire.publish(world().participant(Trade.PAYMENT).log().readAll(0, 100));
        world().settle();

        assertThat(world().find("o-1")).isEqualTo(before);
    }

    @Test
    void withdrawsAnActionWhoseUndoCameFirst() {
        world().start();
        world().handlers.fail("StockReserved");
        world().create("o-1");
        world().settle();

        world().tracker()
                .commands()
                .submit(
                        Command.keyed("cancel", "o-1").inSaga(Trade.SAGA_TYPE, "saga-o-1"),
                        decision -> Trade.cancel("o-1", "changed my mind", decision));
        world().settle();
        assertStatus("o-1", SagaStatus.COMPENSATED);
        world().handlers.repair();
        replayAll(Trade.PAYMENT);

        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentWithdrawn");
        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().find("o-1").attentionReason()).isEmpty();
    }

    @Test
    void undoesASuccessThatComesWhileCompensating() {
        world().start();
        world().down(Trade.INVENTORY);
        world().create("o-1");
        world().settle();
        world().passAwayFrom(Trade.INVENTORY);
        assertStatus("o-1", SagaStatus.COMPENSATING);

        world().up(Trade.INVENTORY);
        world().pass(Duration.ofSeconds(1));

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().find("o-1").steps().get("StockReserved"))
                .extracting(SagaStepRecord::status)
                .isEqualTo(StepStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentWithdrawn");
        assertThat(count("saga.late.steps")).isEqualTo(1);
    }

    @Test
    void asksForAttentionWhenASuccessComesAfterTheEnd() {
        world().start();
        world().handlers.refuse(Trade.STOCK, "o-1");
        world().create("o-1");
        world().settle();

        charge("o-1");
        world().settle();

        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().find("o-1").attentionReason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("PaymentProcessed"));
        assertThat(gauge("saga.attention")).isEqualTo(1);
        world().pass(Duration.ofDays(8));
        assertStatus("o-1", SagaStatus.COMPENSATED);
    }

    @Test
    void purgesEndedSagasAndRecordsLaterEventsInAPlaceholder() {
        world().start();
        world().handlers.refuse(Trade.STOCK, "o-1");
        world().create("o-1");
        world().create("o-2");
        world().settle();
        world().pass(Duration.ofDays(7).minusSeconds(1));
        assertStatus("o-1", SagaStatus.COMPENSATED);

        world().pass(Duration.ofSeconds(1));
        assertThat(world().tracker().sagas().find("saga-o-1")).isEmpty();
        assertThat(world().tracker().sagas().find("saga-o-2")).isEmpty();
        charge("o-1");
        world().settle();

        assertStatus("o-1", SagaStatus.PLACEHOLDER);
        assertThat(count("saga.orphans")).isEqualTo(1);
        assertThat(count("saga.started")).isEqualTo(2);
        assertThat(gauge("saga.active")).isZero();
        world().pass(Duration.ofDays(1));
        assertStatus("o-1", SagaStatus.PLACEHOLDER);
        world().pass(Duration.ofDays(7));
        assertThat(world().tracker().sagas().find("saga-o-1")).isEmpty();
        assertThat(count("saga.timedout")).isZero();
    }

    /** Charges an order without asking whether it is still open, as a participant with a defect does. */
    private void charge(String order) {
        ServiceReplica payment = world().participant(Trade.PAYMENT);
        payment.commands()
                .submit(
                        Command.keyed("charge", order).inSaga(Trade.SAGA_TYPE, SagaWorld.saga(order)),
                        decision -> decision.append(Trade.CHARGE, order, new Trade.PaymentProcessed(1)));
    }
}
