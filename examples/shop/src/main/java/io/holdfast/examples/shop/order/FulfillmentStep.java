package io.holdfast.examples.shop.order;

import io.holdfast.event.Metadata;

/** Saga metadata of this service's events: step 1 with its compensation, and step 4, the confirmation. */
final class FulfillmentStep {

    static final String SAGA_TYPE = "OrderFulfillment";

    static final Metadata CREATION = Metadata.none().withStepNumber(1).withCompensating(false);
    static final Metadata CONFIRMATION = Metadata.none().withStepNumber(4).withCompensating(false);
    static final Metadata CANCELLATION = Metadata.none().withStepNumber(1).withCompensating(true);

    private FulfillmentStep() {}

    static String sagaId(String orderId) {
        return "saga-" + orderId;
    }

    /** Returns the metadata of events appended by commands. Events appended by handlers inherit it from their cause. */
    static Metadata sagaMetadata(String orderId) {
        return Metadata.none().withSaga(SAGA_TYPE, sagaId(orderId));
    }
}
