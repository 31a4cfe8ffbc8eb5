package io.holdfast.examples.shop.payment;

import io.holdfast.fixture.Scenario;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class PaymentTests {

    @Test
    void capturesTheTotalUpToTheLimit() {
        Scenario.givenNothing()
                .when(PaymentCollection.component(), "reservations", "o-1", reserved("10000.00"))
                .thenAppendedTo(Payment.TYPE, "o-1", new PaymentProcessed("o-1", "c-1", new BigDecimal("10000.00")));
    }

    @Test
    void declinesWhatIsAboveTheLimit() {
        Scenario.givenNothing()
                .when(PaymentCollection.component(), "reservations", "o-1", reserved("10000.01"))
                .thenAppended(new PaymentFailed(
                        "o-1",
                        "c-1",
                        new BigDecimal("10000.01"),
                        "payment of 10000.01 is above the limit of 10000.00"));
    }

    @Test
    void isAskedForOnce() {
        Scenario.given(Payment.TYPE, "o-1", new PaymentProcessed("o-1", "c-1", new BigDecimal("10.00")))
                .when(PaymentCollection.component(), "reservations", "o-1", reserved("10.00"))
                .thenNothing();
    }

    private static PaymentCollection.StockReserved reserved(String total) {
        return new PaymentCollection.StockReserved("o-1", "c-1", new BigDecimal(total));
    }
}
