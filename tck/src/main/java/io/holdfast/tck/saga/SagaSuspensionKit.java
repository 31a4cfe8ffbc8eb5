package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.eventsourcing.Command;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaSuspension;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of suspension: a saga with a parked letter does not time out, and continues where it was once that is replayed. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class SagaSuspensionKit extends SagaKit {

    private static final Duration PAST_DEADLINE = SagaWorld.DEADLINE.plusSeconds(1);

    @Test
    void aLetterReplayedAfterTenMinutesCompletesTheSaga() {
        parkedOrder();

        world().pass(Duration.ofSeconds(2));
        for (int minute = 0; minute < 10; minute++) {
            world().pass(Duration.ofMinutes(1));
        }
        assertThat(suspension("o-1").letters())
                .singleElement()
                .asString()
                .startsWith("inventory/work/stock ")
                .endsWith(" PENDING");
        assertThat(gauge("saga.suspended")).isEqualTo(1);
        assertThat(gauge("saga.active")).isEqualTo(1);
        replay(Trade.INVENTORY);

        assertStatus("o-1", SagaStatus.COMPLETED);
        assertThat(world().events("o-1")).containsExactly(CONFIRMED);
        assertThat(count("saga.timedout")).isZero();
        assertThat(gauge("saga.suspended")).isZero();
        assertThat(gauge("saga.active")).isZero();
    }

    @Test
    void anEndedSagaThatWasSuspendedIsListedAndPurged() {
        parkedOrder();
        world().pass(PAST_DEADLINE);
        replay(Trade.INVENTORY);

        assertThat(world().tracker().sagas().list(Trade.types(), null, null, null, 10))
                .hasSize(1);
        assertThat(world().tracker().sagas().count(Trade.types(), SagaStatus.COMPLETED, false, 10))
                .isEqualTo(1);
        world().pass(Duration.ofDays(8));
        assertThat(world().tracker().sagas().find("saga-o-1")).isEmpty();
    }

    @Test
    void aLetterOfTheTrackerItselfSuspends() {
        world().start();
        world().handlers.fail("PaymentProcessed");
        world().create("o-1");
        world().settle();

        world().pass(PAST_DEADLINE);
        assertThat(suspension("o-1").letters()).hasSize(1);
        replay(Trade.TRACKER);

        assertStatus("o-1", SagaStatus.COMPLETED);
    }

    @Test
    void aHeldLetterSuspends() {
        world().start();
        world().openBreakers(true);
        world().create("o-1");
        world().settle();

        world().pass(PAST_DEADLINE);
        assertThat(suspension("o-1").letters()).singleElement().asString().endsWith(" HELD");
        world().openBreakers(false);
        world().pass(Duration.ofMinutes(2));

        assertStatus("o-1", SagaStatus.COMPLETED);
    }

    @Test
    void aLetterBehindThatOfAnotherSagaSuspends() {
        parkedOrder();
        world().tracker()
                .commands()
                .submit(
                        Command.keyed("orders", "again").inSaga(Trade.SAGA_TYPE, "saga-o-2"),
                        decision -> decision.append(Trade.ORDER, "o-1", new Trade.OrderCreated(2)));
        world().settle();

        world().pass(PAST_DEADLINE);

        assertThat(suspension("o-1").letters()).hasSize(1);
        assertThat(suspension("o-2").letters()).hasSize(1);
        assertThat(count("saga.timedout")).isZero();
    }

    @Test
    void staysSuspendedWhileTheServiceWithTheLetterRestarts() {
        parkedOrder();
        world().pass(PAST_DEADLINE);
        assertThat(suspension("o-1").letters()).hasSize(1);

        world().down(Trade.INVENTORY);
        for (int step = 0; step < 10; step++) {
            world().pass(Duration.ofMinutes(1));
        }
        assertThat(suspension("o-1").letters()).hasSize(1);
        world().up(Trade.INVENTORY);
        world().pass(Duration.ofMinutes(6));
        assertThat(suspension("o-1").letters()).hasSize(1);
        replay(Trade.INVENTORY);

        assertStatus("o-1", SagaStatus.COMPLETED);
    }

    @Test
    void anotherServiceThatIsDownDoesNotProlongTheSuspension() {
        parkedOrder();
        world().pass(PAST_DEADLINE);
        world().down(Trade.PAYMENT);
        discard();

        world().passAwayFrom(Trade.PAYMENT);
        assertThat(deadline("o-1").suspended()).isNull();
        assertStatus("o-1", SagaStatus.STARTED);
        world().passAwayFrom(Trade.PAYMENT);

        assertThat(world().events("o-1")).contains("OrderCancelled");
    }

    @Test
    void anUndoThatIsParkedKeepsTheSagaCompensating() {
        world().start();
        world().handlers.fail("PaymentProcessed");
        world().create("o-1");
        world().settle();
        world().handlers.fail("OrderCancelled");
        cancel("o-1");
        assertStatus("o-1", SagaStatus.COMPENSATING);

        world().pass(PAST_DEADLINE);

        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertThat(world().find("o-1").expected()).isNotEmpty();
        world().handlers.repair();
        replay(Trade.INVENTORY);
        replay(Trade.PAYMENT);
        replay(Trade.TRACKER);
        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1")).doesNotContain("OrderConfirmed").doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void timesOutAfterTheLongestSuspension(boolean ownerIsUp) {
        suspendAtMost(Duration.ofHours(1));
        parkedOrder();
        world().pass(PAST_DEADLINE);
        if (!ownerIsUp) {
            world().down(Trade.INVENTORY);
        }

        for (int minutes = 0; minutes < 60; minutes += 5) {
            world().pass(Duration.ofMinutes(5));
        }
        assertStatus("o-1", SagaStatus.STARTED);
        for (int step = 0; step < 5; step++) {
            world().pass(Duration.ofMinutes(2));
            if (!ownerIsUp) {
                world().passAwayFrom(Trade.INVENTORY);
            }
        }

        assertStatus("o-1", SagaStatus.COMPENSATING);
        assertThat(count("saga.timedout")).isEqualTo(1);
        if (!ownerIsUp) {
            world().up(Trade.INVENTORY);
        }
        replay(Trade.INVENTORY); // the undo is parked behind the action
        assertStatus("o-1", SagaStatus.COMPENSATED);
        assertThat(world().events("o-1"))
                .containsExactly(
                        "OrderCreated", "OrderCancelled", "StockReserved", "StockReleased", "PaymentWithdrawn");
    }

    /** Starts a world with an order whose first event is parked at the inventory. */
    private void parkedOrder() {
        world().start();
        world().handlers.fail("OrderCreated");
        world().create("o-1");
        world().settle();
        assertThat(queue().size()).isEqualTo(1);
    }

    private void replay(String service) {
        world().handlers.repair();
        replayAll(service);
    }

    private void discard() {
        DeadLetter letter = queue().deadLetters().iterator().next().iterator().next();
        assertThat(queue().evict(letter)).isTrue();
    }

    private SequencedDeadLetterQueue queue() {
        return world().participant(Trade.INVENTORY).processor().deadLetterQueue("stock");
    }

    private SagaSuspension suspension(String order) {
        SagaSuspension suspension = deadline(order).suspended();
        assertThat(suspension).as("suspension of %s", order).isNotNull();
        return Objects.requireNonNull(suspension);
    }
}
