package io.holdfast.examples.shop.payment;

import io.holdfast.handling.Component;
import java.util.List;

/** Components and decisions of this service, for tests in other packages. */
public final class PaymentFixtures {

    private PaymentFixtures() {}

    public static List<Component> components() {
        return List.of(processing(), refund());
    }

    static Component processing() {
        return Component.of("payment-processing", new PaymentProcessing(new InProcessPaymentGateway()))
                .build();
    }

    static Component refund() {
        return Component.of("payment-refund", new PaymentRefund()).build();
    }
}
