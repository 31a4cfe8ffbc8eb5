package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.after;
import static io.holdfast.saga.OrderFulfillment.timeOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.Payload;
import io.holdfast.saga.UsualDurations.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsualDurationsTests {

    private static final UsualDuration SHORT = new UsualDuration(Duration.ofMillis(10), Duration.ofMillis(40));
    private static final UsualDuration LONG = new UsualDuration(Duration.ofSeconds(10), Duration.ofSeconds(40));
    private static final UsualDurations USUAL = new UsualDurations(Map.of(
            new Step("OrderFulfillment", "StockReserved", false), SHORT,
            new Step("OrderFulfillment", "StockReserved", true), LONG,
            new Step("Other", "PaymentProcessed", false), SHORT));

    @ParameterizedTest
    @CsvSource({
        "PT0.040S, PT1S, false",
        "PT0.040S, PT1.001S, true",
        "PT0.500S, PT1.001S, true",
        "PT0.600S, PT1.2S, false",
        "PT0.600S, PT1.201S, true",
        "PT40S, PT-1S, false",
    })
    void isExceededByTwiceTheLongestUsualTimeAndAtLeastASecond(Duration p99, Duration waiting, boolean exceeded) {
        assertThat(new UsualDuration(Duration.ZERO, p99).isExceededBy(waiting)).isEqualTo(exceeded);
    }

    @Test
    void comparesWithTheActionOrTheCompensation() {
        SagaState open = after("OrderCreated");
        SagaState compensating = after("OrderCreated", "StockReserved", "PaymentFailed", "OrderCancelled");

        assertThat(USUAL.find(open, open.expected().get(0))).contains(SHORT);
        assertThat(USUAL.find(compensating, compensating.expected().get(0))).contains(LONG);
    }

    @Test
    void comparesACallThatIsToBeUndoneWithTheActionUntilItEnds() {
        UsualDurations usual = new UsualDurations(
                Map.of(new Step("Checkout", "charge", false), SHORT, new Step("Checkout", "charge", true), LONG));
        SagaStepRecord charge = SagaStepRecord.orchestrated(0, "charge", "checkout", "refund");
        StepExecution sent = charge.requireExecution().sent(SagaFact.decided(OrderFulfillment.START, null), null, null);
        SagaStart start = new SagaStart("o-1", null, OrderFulfillment.START);
        SagaState calling = SagaState.orchestrated(
                        "s-1",
                        "Checkout",
                        "checkout",
                        start,
                        start.at().plusSeconds(60),
                        List.of(charge.with(0, "checkout", sent)),
                        new Payload("Data", 1, "{}"))
                .cancelRequested(start.at().plusSeconds(9), null);
        SagaState undoing = calling.with(charge.with(0, "checkout", sent.undoSent(SagaFact.decided(start.at(), null))));

        assertThat(usual.find(calling, calling.expected().get(0))).contains(SHORT);
        assertThat(usual.find(undoing, undoing.expected().get(0))).contains(LONG);
    }

    @Test
    void isOverdueOnlyWhileItWaits() {
        SagaState open = after("OrderCreated");
        Instant late = timeOf("OrderCreated").plusSeconds(2);

        assertThat(USUAL.isOverdue(open, late)).isTrue();
        assertThat(USUAL.isOverdue(open, late.minusSeconds(1))).isFalse();
        assertThat(USUAL.isOverdue(after("OrderCreated", "StockReserved"), late.plusSeconds(3600)))
                .isFalse();
        assertThat(UsualDurations.NONE.isOverdue(open, late)).isFalse();
    }

    @Test
    void aPlaceholderAndAnEndedSagaAreNeverOverdue() {
        UsualDurations everything = new UsualDurations(Map.of(
                new Step("OrderFulfillment", "OrderCreated", false), SHORT,
                new Step("OrderFulfillment", "StockReserved", false), SHORT));
        Instant late = timeOf("OrderConfirmed").plusSeconds(3600);

        assertThat(everything.isOverdue(after("StockReserved"), late)).isFalse();
        assertThat(everything.isOverdue(after("OrderCreated", "PaymentProcessed", "OrderConfirmed"), late))
                .isFalse();
    }

    @Test
    void knowsWhichTypesWereMeasured() {
        assertThat(USUAL.isEmpty("OrderFulfillment")).isFalse();
        assertThat(USUAL.isEmpty("Checkout")).isTrue();
    }
}
