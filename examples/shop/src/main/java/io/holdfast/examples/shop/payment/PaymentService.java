package io.holdfast.examples.shop.payment;

import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.wire.Wire;
import java.util.Optional;

/** Captures payments. For any number of threads. */
public final class PaymentService implements AutoCloseable {

    public static final String NAME = "payment";

    private final HoldfastService engine;

    private PaymentService(HoldfastService engine) {
        this.engine = engine;
    }

    /** Goes on from what the store has. */
    public static PaymentService start(Store store, Wire wire) {
        return new PaymentService(HoldfastService.named(NAME, store, wire)
                .owns(Payment.STREAM)
                .processor(
                        "collection",
                        processor -> processor.reads("reservations").calls(PaymentCollection.component()))
                .start());
    }

    public Optional<Payment> findByOrder(String orderId) {
        Payment payment = engine.commands().state(Payment.TYPE, orderId);
        return payment.status() == PaymentStatus.NONE ? Optional.empty() : Optional.of(payment);
    }

    public HoldfastService engine() {
        return engine;
    }

    @Override
    public void close() {
        engine.close();
    }
}
