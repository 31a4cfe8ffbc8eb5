package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.util.List;

/**
 * The payment of one order; its key is the order's id, so an order is paid once and refunded once.
 *
 * @param reason why it was declined, refunded or withdrawn, or empty
 */
public record Payment(PaymentStatus status, String customerId, BigDecimal amount, String reason) {

    public static final String STREAM = "payments";

    /** What is above it is declined. */
    public static final BigDecimal LIMIT = new BigDecimal("10000.00");

    private static final Payment NONE = new Payment(PaymentStatus.NONE, "", new BigDecimal("0.00"), "");

    public static final AggregateType<Payment> TYPE = AggregateType.of(STREAM, Payment.class, NONE)
            .on(
                    PaymentProcessed.class,
                    (payment, event) -> new Payment(PaymentStatus.CAPTURED, event.customerId(), event.amount(), ""))
            .on(
                    PaymentFailed.class,
                    (payment, event) ->
                            new Payment(PaymentStatus.FAILED, event.customerId(), event.amount(), event.reason()))
            .on(PaymentRefunded.class, (payment, event) -> payment.withStatus(PaymentStatus.REFUNDED, event.reason()))
            .on(PaymentWithdrawn.class, (payment, event) -> payment.withStatus(PaymentStatus.WITHDRAWN, event.reason()))
            .build();

    /** Whether somebody has asked for money. */
    boolean exists() {
        return status != PaymentStatus.NONE && status != PaymentStatus.WITHDRAWN;
    }

    /** Captures the amount or declines it; whatever was decided before stays. */
    List<PaymentEvent> process(String orderId, String customer, BigDecimal wanted) {
        if (status != PaymentStatus.NONE) {
            return List.of();
        }
        return wanted.compareTo(LIMIT) > 0
                ? List.of(new PaymentFailed(
                        orderId, customer, wanted, "payment of " + wanted + " is above the limit of " + LIMIT))
                : List.of(new PaymentProcessed(orderId, customer, wanted));
    }

    /** Gives back what was captured; what was not asked for yet never will be. */
    List<PaymentEvent> refund(String orderId, String why) {
        return switch (status) {
            case CAPTURED -> List.of(new PaymentRefunded(orderId, customerId, amount, why));
            case NONE -> List.of(new PaymentWithdrawn(orderId, why));
            case FAILED, REFUNDED, WITHDRAWN -> List.of();
        };
    }

    private Payment withStatus(PaymentStatus next, String why) {
        return new Payment(next, customerId, amount, why);
    }
}
