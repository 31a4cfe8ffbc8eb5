package io.holdfast.examples.shop.payment;

import io.holdfast.fixture.Scenario;
import io.holdfast.fixture.ScenarioOutcome;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class PaymentTests {

    private static final BigDecimal TEN = new BigDecimal("10.00");

    @Test
    void capturesTheTotalUpToTheLimit() {
        Scenario.givenNothing()
                .when(PaymentFixtures.processing(), "reservations", "o-1", reserved("10000.00"))
                .thenAppendedTo(Payment.TYPE, "o-1", new PaymentProcessed("o-1", "c-1", new BigDecimal("10000.00")));
    }

    @Test
    void declinesAmountAboveTheLimit() {
        Scenario.givenNothing()
                .when(PaymentFixtures.processing(), "reservations", "o-1", reserved("10000.01"))
                .thenAppended(new PaymentFailed(
                        "o-1", "c-1", new BigDecimal("10000.01"), "payment of 10000.01 exceeds the limit of 10000.00"));
    }

    @Test
    void capturesOnce() {
        Scenario.given(Payment.TYPE, "o-1", new PaymentProcessed("o-1", "c-1", TEN))
                .when(PaymentFixtures.processing(), "reservations", "o-1", reserved("10.00"))
                .thenNothing();
    }

    @Test
    void refundsCancelledOrderAsCompensation() {
        ScenarioOutcome outcome = Scenario.given(Payment.TYPE, "o-1", new PaymentProcessed("o-1", "c-1", TEN))
                .when(PaymentFixtures.refund(), "orders", "o-1", cancelled());

        outcome.thenAppended(new PaymentRefunded("o-1", "c-1", TEN, "not wanted"))
                .thenState(Payment.TYPE, "o-1", new Payment(PaymentStatus.REFUNDED, "c-1", TEN, "not wanted"));
    }

    @Test
    void refundsAtMostOnce() {
        Scenario.given(
                        Payment.TYPE,
                        "o-1",
                        new PaymentProcessed("o-1", "c-1", TEN),
                        new PaymentRefunded("o-1", "c-1", TEN, "not wanted"))
                .when(PaymentFixtures.refund(), "orders", "o-1", cancelled())
                .thenNothing();
    }

    @Test
    void doesNotRefundDeclinedPayment() {
        Scenario.given(Payment.TYPE, "o-1", new PaymentFailed("o-1", "c-1", TEN, "declined"))
                .when(PaymentFixtures.refund(), "orders", "o-1", cancelled())
                .thenNothing();
    }

    @Test
    void capturesNothingAfterAnEarlierCancellation() {
        Scenario.givenNothing()
                .when(PaymentFixtures.refund(), "orders", "o-1", cancelled())
                .thenAppended(new PaymentWithdrawn("o-1", "not wanted"));
        Scenario.given(Payment.TYPE, "o-1", new PaymentWithdrawn("o-1", "not wanted"))
                .when(PaymentFixtures.processing(), "reservations", "o-1", reserved("10.00"))
                .thenNothing();
    }

    private static PaymentRefund.OrderCancelled cancelled() {
        return new PaymentRefund.OrderCancelled("o-1", "not wanted");
    }

    private static PaymentProcessing.StockReserved reserved(String total) {
        return new PaymentProcessing.StockReserved("o-1", "c-1", new BigDecimal(total));
    }
}
