package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.RETENTION;
import static io.holdfast.saga.OrderFulfillment.START;
import static io.holdfast.saga.OrderFulfillment.TIMEOUT;
import static io.holdfast.saga.OrderFulfillment.after;
import static io.holdfast.saga.OrderFulfillment.record;
import static io.holdfast.saga.OrderFulfillment.timeOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SagaStateTests {

    private static final Instant LATER = START.plus(TIMEOUT);

    @Test
    void startsWithStepZero() {
        SagaState saga = after("OrderCreated");

        assertThat(saga.status()).isEqualTo(SagaStatus.STARTED);
        assertThat(saga.key()).isEqualTo("o-1");
        assertThat(saga.service()).isEqualTo("order");
        assertThat(saga.start()).isEqualTo(new SagaStart("o-1", "c-1", START));
        assertThat(saga.nextDue(RETENTION)).isEqualTo(START.plus(TIMEOUT));
        assertThat(saga.expected()).containsExactly(new ExpectedEvent(1, "StockReserved", "inventory", START));
        assertThat(saga.reason()).isEmpty();
    }

    @Test
    void completes() {
        SagaState saga = after("OrderCreated", "StockReserved", "PaymentProcessed", "OrderConfirmed");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPLETED);
        assertThat(saga.endedAt()).contains(timeOf("OrderConfirmed"));
        assertThat(saga.expected()).isEmpty();
        assertThat(saga.nextDue(RETENTION)).isEqualTo(timeOf("OrderConfirmed").plus(RETENTION));
        assertThat(saga.stepsInOrder())
                .extracting(SagaStepRecord::status)
                .containsOnly(StepStatus.COMPLETED)
                .hasSize(4);
    }

    @Test
    void waitsForStepZeroAsAPlaceholder() {
        SagaState saga = after("StockReserved");

        assertThat(saga.status()).isEqualTo(SagaStatus.PLACEHOLDER);
        assertThat(saga.status().isActive()).isFalse();
        assertThat(saga.key()).isEmpty();
        assertThat(saga.timedOut(LATER)).isEqualTo(saga);
        assertThat(saga.cancelRequested(LATER, null)).isEqualTo(saga);
        assertThat(saga.suspended(List.of("letter"), LATER)).isEqualTo(saga);
        assertThat(saga.expected())
                .containsExactly(new ExpectedEvent(0, "OrderCreated", "order", timeOf("StockReserved")));
        assertThat(saga.nextDue(RETENTION)).isEqualTo(timeOf("StockReserved").plus(RETENTION));
        assertThat(record(saga, "OrderCreated")).isEqualTo(after("OrderCreated", "StockReserved"));
    }

    @Test
    void waitsUntilEveryCompensableStepIsAnswered() {
        SagaState saga = after("OrderCreated", "StockReserved", "PaymentFailed");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(saga.reason()).isEqualTo("PaymentFailed for a reason");
        assertThat(saga.nextDue(RETENTION)).isNull();
        assertThat(saga.expected())
                .containsExactly(
                        new ExpectedEvent(0, "OrderCancelled", "order", timeOf("PaymentFailed")),
                        new ExpectedEvent(1, "StockReleased", "inventory", timeOf("PaymentFailed")));

        SagaState ended = record(record(saga, "StockReleased"), "OrderCancelled");

        assertThat(ended.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(ended.endedAt()).contains(timeOf("StockReleased"));
        assertThat(ended.attentionReason()).isEmpty();
    }

    @Test
    void waitsForTheWithdrawalOfAStepThatIsNotDone() {
        SagaState saga = after("OrderCreated", "StockReservationFailed", "OrderCancelled");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(saga.expected()).extracting(ExpectedEvent::eventType).containsExactly("PaymentWithdrawn");
        assertThat(record(saga, "PaymentWithdrawn").status()).isEqualTo(SagaStatus.COMPENSATED);
    }

    @Test
    void waitsForTheCompensationOfStepZeroWhenItArrivesLast() {
        SagaState saga = after("StockReservationFailed", "PaymentWithdrawn", "OrderCreated");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(saga.expected()).extracting(ExpectedEvent::eventType).containsExactly("OrderCancelled");
    }

    @Test
    void requiresTheUndoOfASuccessThatComesWhileCompensating() {
        SagaState saga = after("OrderCreated", "OrderCancelled", "ReservationWithdrawn", "PaymentProcessed");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(saga.expected())
                .containsExactly(new ExpectedEvent(2, "PaymentRefunded", "payment", timeOf("OrderCancelled")));
        assertThat(record(saga, "PaymentRefunded").status()).isEqualTo(SagaStatus.COMPENSATED);
    }

    @Test
    void flagsASuccessAfterTheEndUntilItIsUndone() {
        SagaState ended = after("OrderCreated", "OrderCancelled", "ReservationWithdrawn", "PaymentWithdrawn");
        assertThat(ended.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(ended.attentionReason()).isEmpty();

        SagaState late = record(ended, "PaymentProcessed");

        assertThat(late.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(late.attentionReason())
                .contains("PaymentProcessed of service payment succeeded after the saga was compensated, and is not"
                        + " undone");
        assertThat(late.nextDue(RETENTION)).isNull();
        assertThat(record(late, "PaymentRefunded").attentionReason()).isEmpty();
        assertThat(late.skipped("PaymentProcessed", LATER, "refunded by hand").attentionReason())
                .isEmpty();
    }

    @Test
    void flagsACompletingEventWhileCompensating() {
        SagaState saga = after("OrderCreated", "StockReserved", "PaymentFailed", "OrderConfirmed");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(saga.attentionReason())
                .contains("OrderConfirmed of service order came while the saga was compensating");
        assertThat(saga.skipped("OrderConfirmed", LATER, "checked").attentionReason())
                .isEmpty();
    }

    @Test
    void staysCompletedWhenTheOrderIsCancelledAfterwards() {
        SagaState saga = after(
                "OrderCreated",
                "StockReserved",
                "PaymentProcessed",
                "OrderConfirmed",
                "OrderCancelled",
                "PaymentRefunded",
                "StockReleased");

        assertThat(saga.status()).isEqualTo(SagaStatus.COMPLETED);
        assertThat(saga.attentionReason()).isEmpty();
        assertThat(saga.stepsInOrder().get(2).status()).isEqualTo(StepStatus.COMPENSATED);
    }

    @Test
    void timesOutTogetherWithTheLocalCompensation() {
        SagaState open = after("OrderCreated", "StockReserved");

        SagaState timedOut = open.timedOut(LATER);
        SagaState compensating = record(timedOut, "OrderCancelled");

        assertThat(timedOut.status()).isEqualTo(SagaStatus.TIMED_OUT);
        assertThat(timedOut.reason()).isEqualTo("timed out waiting for PaymentProcessed of service payment");
        assertThat(timedOut.nextDue(RETENTION)).isNull();
        assertThat(compensating.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(record(open, "OrderCancelled").timedOut(LATER).status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(compensating.timedOut(LATER.plusSeconds(1))).isEqualTo(compensating);
    }

    @Test
    void completesAfterATimeoutThatCancelledNothing() {
        SagaState timedOut =
                after("OrderCreated", "StockReserved", "PaymentProcessed").timedOut(LATER);

        assertThat(record(timedOut, "OrderConfirmed").status()).isEqualTo(SagaStatus.COMPLETED);
    }

    @Test
    void compensatesWhenAnOperatorRequestsIt() {
        SagaState timedOut = after("OrderCreated").timedOut(LATER);

        SagaState compensating = timedOut.cancelRequested(LATER.plusSeconds(1), "customer called");

        assertThat(compensating.status()).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(compensating.compensatingSince()).contains(LATER.plusSeconds(1));
        assertThat(after("OrderCreated")
                        .cancelRequested(LATER, "customer called")
                        .reason())
                .isEqualTo("customer called");
        assertThat(compensating.cancelRequested(LATER.plusSeconds(2), "again")).isEqualTo(compensating);
    }

    @Test
    void failsOnlyWhenAnOperatorGivesUpACompensation() {
        SagaState compensating = after("OrderCreated", "StockReserved", "OrderCancelled");

        SagaState failed = compensating.gaveUp(LATER, "written off");

        assertThat(failed.status()).isEqualTo(SagaStatus.FAILED);
        assertThat(failed.endedAt()).contains(LATER);
        assertThat(failed.attentionReason()).isEmpty();
        assertThat(record(record(failed, "StockReleased"), "PaymentWithdrawn").status())
                .isEqualTo(SagaStatus.FAILED);
        assertThat(after("OrderCreated").gaveUp(LATER, null).status()).isEqualTo(SagaStatus.STARTED);
    }

    @Test
    void isCompensatedWhenAnOperatorSkipsTheRemainingCompensation() {
        SagaState compensating = after("OrderCreated", "StockReserved", "OrderCancelled", "PaymentWithdrawn");

        SagaState skipped = compensating.skipped("StockReserved", LATER, "already shipped back");

        assertThat(skipped.status()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(skipped.endedAt()).contains(LATER);
        assertThat(skipped.steps().get("StockReserved"))
                .extracting(SagaStepRecord::status)
                .isEqualTo(StepStatus.SKIPPED);
        assertThat(compensating.skipped("Unknown", LATER, null)).isEqualTo(compensating);
    }

    @Test
    void suspendsItsDeadlineWhileLettersAreParked() {
        SagaState saga = after("OrderCreated");

        SagaState first = saga.suspended(List.of("b", "a", "b"), LATER);
        SagaState second = first.suspended(List.of("a"), LATER.plusSeconds(15));
        SagaState third = second.unanswered(LATER.plusSeconds(45));

        assertThat(suspension(first).letters()).containsExactly("a", "b");
        assertThat(first.nextDue(RETENTION)).isEqualTo(LATER.plusSeconds(15));
        assertThat(second.nextDue(RETENTION)).isEqualTo(LATER.plusSeconds(45));
        assertThat(third.nextDue(RETENTION)).isEqualTo(LATER.plusSeconds(105));
        assertThat(suspension(third).since()).isEqualTo(LATER);
        assertThat(suspension(third).lastAnswer()).isEqualTo(LATER.plusSeconds(15));
        assertThat(suspension(third).exceeds(Duration.ofHours(24), LATER.plus(Duration.ofHours(24))))
                .isFalse();
        assertThat(suspension(third).exceeds(Duration.ofHours(24), LATER.plus(Duration.ofHours(25))))
                .isTrue();
        assertThat(saga.unanswered(LATER)).isEqualTo(saga);
    }

    @Test
    void asksAtLeastEveryFiveMinutes() {
        SagaState saga = after("OrderCreated").suspended(List.of("a"), LATER);
        for (int i = 0; i < 40; i++) {
            saga = saga.suspended(List.of("a"), LATER);
        }

        assertThat(saga.nextDue(RETENTION)).isEqualTo(LATER.plus(Duration.ofMinutes(5)));
    }

    @Test
    void getsTheFullTimeAgainWhenItResumes() {
        SagaState saga = after("OrderCreated").suspended(List.of("a"), LATER);

        SagaState resumed = saga.resumed(LATER.plusSeconds(15), TIMEOUT);

        assertThat(resumed.nextDue(RETENTION)).isEqualTo(LATER.plusSeconds(15).plus(TIMEOUT));
        assertThat(Objects.requireNonNull(resumed.deadline()).suspended()).isNull();
        assertThat(resumed.resumed(LATER.plusSeconds(99), TIMEOUT)).isEqualTo(resumed);
    }

    @Test
    void asksForAttentionAfterTenJudgementsWithoutEffect() {
        SagaState saga = after("OrderCreated");
        for (int i = 0; i < 9; i++) {
            saga = saga.notCancelled(LATER.plusSeconds(i));
        }

        assertThat(saga.attentionReason()).isEmpty();
        assertThat(saga.nextDue(RETENTION)).isEqualTo(LATER.plusSeconds(8));
        SagaState tenth = saga.notCancelled(LATER.plusSeconds(9));
        assertThat(tenth.attentionReason())
                .contains("the deadline has passed, but the local compensation appended nothing 10 times");
        assertThat(tenth.unflagged().attentionReason()).isEmpty();
        assertThat(tenth.status()).isEqualTo(SagaStatus.STARTED);
    }

    @Test
    void asksForAttentionWhenTheLocalCompensationFails() {
        SagaState saga = after("OrderCreated").cancellationFailed("no such order", LATER);

        assertThat(saga.attentionReason()).contains("the local compensation failed: no such order");
        assertThat(saga.flagged("another reason")).isEqualTo(saga);
        assertThat(saga.nextDue(RETENTION)).isEqualTo(LATER);
    }

    @Test
    void keepsTheEarlierOfTwoEventsWithTheSameMeaning() {
        SagaEvent second = new SagaEvent(
                OrderFulfillment.SAGA_ID,
                "StockReserved",
                OrderFulfillment.idOf("another"),
                "o-1",
                null,
                timeOf("StockReserved").plusSeconds(30),
                null);
        SagaState first = after("OrderCreated", "StockReserved");

        assertThat(OrderFulfillment.TYPE.record(first, second, TIMEOUT)).isEqualTo(first);
        assertThat(record(OrderFulfillment.TYPE.record(after("OrderCreated"), second, TIMEOUT), "StockReserved"))
                .isEqualTo(first);
    }

    @Test
    void keepsStepsThatItsTypeNoLongerDeclaresAndAddsNewOnes() {
        SagaState saga = after("OrderCreated", "StockReserved");
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga("OrderFulfillment")
                .streams("orders")
                .register("OrderCreated", "OrderCancelled", "order")
                .register("FraudChecked", "FraudCheckDiscarded", "fraud")
                .completedBy("OrderConfirmed", "order");
        Choreography newer = registry.choreographies().find("OrderFulfillment").orElseThrow();

        SagaState recorded = newer.record(saga, OrderFulfillment.event("OrderCreated"), TIMEOUT);
        SagaEvent checked = new SagaEvent(
                OrderFulfillment.SAGA_ID, "FraudChecked", OrderFulfillment.idOf("f"), "o-1", null, LATER, null);
        SagaState extended = Objects.requireNonNull(newer.record(recorded, checked, TIMEOUT));

        assertThat(recorded).isEqualTo(saga);
        assertThat(extended.stepsInOrder())
                .extracting(SagaStepRecord::name)
                .containsExactly("OrderCreated", "FraudChecked", "StockReserved", "PaymentProcessed", "OrderConfirmed");
        assertThat(extended.steps().get("StockReserved")).isEqualTo(saga.steps().get("StockReserved"));
    }

    @Test
    void ignoresEventsThatItsTypeDoesNotDeclare() {
        SagaEvent other = new SagaEvent(
                OrderFulfillment.SAGA_ID, "OrderShipped", OrderFulfillment.idOf("s"), "o-1", null, LATER, null);

        assertThat(OrderFulfillment.TYPE.record(null, other, TIMEOUT)).isNull();
        assertThat(OrderFulfillment.TYPE.record(after("OrderCreated"), other, TIMEOUT))
                .isEqualTo(after("OrderCreated"));
    }

    @Test
    void storesHowOftenAStepWasAttempted() {
        SagaState saga = after("OrderCreated").attempted("StockReserved", 3);

        assertThat(record(saga, "StockReserved").steps().get("StockReserved"))
                .extracting(SagaStepRecord::attempts)
                .isEqualTo(3);
        assertThat(saga.attempted("Unknown", 3)).isEqualTo(saga);
    }

    private static SagaSuspension suspension(SagaState saga) {
        return Objects.requireNonNull(Objects.requireNonNull(saga.deadline()).suspended());
    }
}
