package io.holdfast.examples.shop.payment;

import java.math.BigDecimal;
import org.springframework.stereotype.Component;

/** Stands for the payment provider of the demo. The response depends on the amount alone, so a repetition is harmless. */
@Component
class InProcessPaymentGateway implements PaymentGateway {

    /** Larger payments are declined. */
    static final BigDecimal LIMIT = new BigDecimal("10000.00");

    @Override
    public void authorize(String idempotencyKey, String customerId, BigDecimal amount) {
        if (amount.compareTo(LIMIT) > 0) {
            throw new PaymentDeclinedException("payment of " + amount + " exceeds the limit of " + LIMIT);
        }
    }
}
