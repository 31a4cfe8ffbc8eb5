package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.START;
import static io.holdfast.saga.OrderFulfillment.after;
import static io.holdfast.saga.OrderFulfillment.record;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SagaTransitionTests {

    @Test
    void reportsTheStart() {
        SagaTransition change = SagaTransition.between(null, after("OrderCreated"));

        assertThat(change).isEqualTo(new SagaTransition(true, null, false, List.of(), Map.of(), null, null));
        assertThat(SagaTransition.between(null, after("StockReserved")).started())
                .isFalse();
    }

    @Test
    void reportsTheDurationOfSteps() {
        SagaState before = after("OrderCreated", "StockReserved");

        SagaTransition change = SagaTransition.between(before, record(before, "PaymentProcessed"));

        assertThat(change.stepDurations()).isEqualTo(Map.of("PaymentProcessed", Duration.ofSeconds(2)));
        assertThat(change.lateSteps()).isEmpty();
    }

    @Test
    void reportsTheCompletion() {
        SagaState before = after("OrderCreated", "StockReserved", "PaymentProcessed");

        SagaTransition change = SagaTransition.between(before, record(before, "OrderConfirmed"));

        assertThat(change.ended()).isEqualTo(SagaStatus.COMPLETED);
        assertThat(change.duration()).isEqualTo(Duration.ofSeconds(5));
        assertThat(change.compensationDuration()).isNull();
    }

    @Test
    void reportsTheCompensation() {
        SagaState before = after("OrderCreated", "StockReserved", "PaymentFailed", "OrderCancelled");

        SagaTransition change = SagaTransition.between(before, record(before, "StockReleased"));

        assertThat(change.ended()).isEqualTo(SagaStatus.COMPENSATED);
        assertThat(change.duration()).isEqualTo(Duration.ofSeconds(9));
        assertThat(change.compensationDuration()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void reportsATimeoutAndTheEndThatAnOperatorDecides() {
        SagaState open = after("OrderCreated");
        SagaState timedOut = open.timedOut(START.plusSeconds(60));
        SagaState compensating = timedOut.cancelRequested(START.plusSeconds(70), null);

        SagaTransition change =
                SagaTransition.between(compensating, compensating.gaveUp(START.plusSeconds(80), "written off"));

        assertThat(SagaTransition.between(open, timedOut).timedOut()).isTrue();
        assertThat(SagaTransition.between(timedOut, compensating).timedOut()).isFalse();
        assertThat(change.ended()).isEqualTo(SagaStatus.FAILED);
        assertThat(change.duration()).isEqualTo(Duration.ofSeconds(80));
        assertThat(change.compensationDuration()).isNull();
    }

    @Test
    void reportsLateSteps() {
        SagaState compensating = after("OrderCreated", "OrderCancelled");
        Instant cancelled = compensating.compensatingSince().orElseThrow();
        SagaState late = reservedAt(compensating, cancelled.plusSeconds(1));

        assertThat(SagaTransition.between(compensating, late).lateSteps()).containsExactly("StockReserved");
        assertThat(SagaTransition.between(late, reservedAt(late, cancelled.plusSeconds(1)))
                        .lateSteps())
                .isEmpty();
    }

    @Test
    void aStepThatWasDoneBeforeTheCancellationIsNotLate() {
        SagaState compensating = after("OrderCreated", "OrderCancelled");
        Instant cancelled = compensating.compensatingSince().orElseThrow();

        SagaState recorded = reservedAt(compensating, cancelled.minusMillis(1));

        assertThat(SagaTransition.between(compensating, recorded).lateSteps()).isEmpty();
    }

    private static SagaState reservedAt(SagaState saga, Instant time) {
        SagaEvent event = new SagaEvent(
                OrderFulfillment.SAGA_ID,
                "StockReserved",
                OrderFulfillment.idOf("StockReserved"),
                "o-1",
                null,
                time,
                null);
        return Objects.requireNonNull(OrderFulfillment.TYPE.record(saga, event, OrderFulfillment.TIMEOUT));
    }

    @Test
    void reportsNoNegativeDurationsWhenClocksDiffer() {
        SagaEvent early = new SagaEvent(
                OrderFulfillment.SAGA_ID,
                "StockReserved",
                OrderFulfillment.idOf("early"),
                "o-1",
                null,
                START.minusSeconds(5),
                null);
        SagaState before = after("OrderCreated");

        SagaState after = OrderFulfillment.TYPE.record(before, early, OrderFulfillment.TIMEOUT);

        assertThat(SagaTransition.between(before, Objects.requireNonNull(after)).stepDurations())
                .containsEntry("StockReserved", Duration.ZERO);
    }

    private static String tag(SagaState saga) {
        return SagaTag.of(saga, saga.facts());
    }

    @Test
    void tagsNameTypeStatusAttentionAndSuspension() {
        assertThat(tag(after("OrderCreated"))).isEqualTo("OrderFulfillment/OPEN");
        assertThat(tag(after("OrderCreated", "StockReserved")))
                .as("progress does not move the row in the index")
                .isEqualTo("OrderFulfillment/OPEN");
        assertThat(tag(after("OrderCreated").flagged("x"))).isEqualTo("OrderFulfillment/OPEN!");
        assertThat(tag(after("OrderCreated").suspended(List.of("letter"), OrderFulfillment.START)))
                .isEqualTo("OrderFulfillment/OPEN~");
        assertThat(SagaTag.matching(List.of("A", "B"), SagaStatus.COMPLETED, null))
                .containsExactly("A/COMPLETED", "A/COMPLETED!", "B/COMPLETED", "B/COMPLETED!");
        assertThat(SagaTag.matching(List.of("A"), SagaStatus.STARTED, false)).containsExactly("A/OPEN", "A/OPEN~");
        assertThat(SagaTag.matching(List.of("A"), null, true)).hasSize(7).allMatch(tag -> tag.contains("!"));
        assertThat(SagaTag.suspended(List.of("A"))).containsExactlyInAnyOrder("A/OPEN~", "A/OPEN!~");
    }
}
