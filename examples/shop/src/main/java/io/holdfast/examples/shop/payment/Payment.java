package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.util.List;

/** The payment of one order; its key is the order's id. */
public record Payment(PaymentStatus status, BigDecimal amount) {

    public static final String STREAM = "payments";
    /** What is above it is declined. */
    public static final BigDecimal LIMIT = new BigDecimal("10000.00");

    public static final AggregateType<Payment> TYPE = AggregateType.of(
                    STREAM, Payment.class, new Payment(PaymentStatus.NONE, new BigDecimal("0.00")))
            .on(PaymentProcessed.class, (payment, event) -> new Payment(PaymentStatus.CAPTURED, event.amount()))
            .on(PaymentFailed.class, (payment, event) -> new Payment(PaymentStatus.FAILED, event.amount()))
            .build();

    /** Captures the amount or declines it; whatever was decided before stays. */
    List<PaymentEvent> process(String orderId, String customerId, BigDecimal wanted) {
        if (status != PaymentStatus.NONE) {
            return List.of();
        }
        return wanted.compareTo(LIMIT) > 0
                ? List.of(new PaymentFailed(
                        orderId, customerId, wanted, "payment of " + wanted + " is above the limit of " + LIMIT))
                : List.of(new PaymentProcessed(orderId, customerId, wanted));
    }
}
