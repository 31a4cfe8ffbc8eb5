package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.AggregateType;
import java.math.BigDecimal;
import java.util.List;

/**
 * The payment of one order. Its key is the order's id, so an order is paid and refunded at most once.
 *
 * @param reason why the payment was declined, refunded or withdrawn, or empty
 */
public record Payment(PaymentStatus status, String customerId, BigDecimal amount, String reason) {

    public static final String STREAM = "payments";

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

    /** @return whether a payment was requested */
    boolean exists() {
        return status != PaymentStatus.NONE && status != PaymentStatus.WITHDRAWN;
    }

    /** Captures an amount that is authorized. Idempotent: an earlier outcome stays. */
    List<PaymentEvent> capture(String orderId, String customer, BigDecimal requested) {
        return status == PaymentStatus.NONE ? List.of(new PaymentProcessed(orderId, customer, requested)) : List.of();
    }

    /** Records that the provider declined the amount. Idempotent: an earlier outcome stays. */
    List<PaymentEvent> decline(String orderId, String customer, BigDecimal requested, String cause) {
        return status == PaymentStatus.NONE
                ? List.of(new PaymentFailed(orderId, customer, requested, cause))
                : List.of();
    }

    /**
     * Refunds a captured payment. If none was requested yet, withdraws it, so that a later request captures nothing.
     */
    List<PaymentEvent> refund(String orderId, String cause) {
        return switch (status) {
            case CAPTURED -> List.of(new PaymentRefunded(orderId, customerId, amount, cause));
            case NONE -> List.of(new PaymentWithdrawn(orderId, cause));
            case FAILED, REFUNDED, WITHDRAWN -> List.of();
        };
    }

    private Payment withStatus(PaymentStatus next, String cause) {
        return new Payment(next, customerId, amount, cause);
    }
}
