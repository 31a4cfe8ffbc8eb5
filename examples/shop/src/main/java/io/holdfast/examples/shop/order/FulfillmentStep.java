package io.holdfast.examples.shop.order;

import io.holdfast.event.Metadata;

/** Where this service's events stand in the saga of an order: its first step and its end. */
final class FulfillmentStep {

    static final String SAGA_TYPE = "OrderFulfillment";

    static final Metadata CREATION = Metadata.none().withStepNumber(1).withCompensating(false);
    static final Metadata CONFIRMATION = Metadata.none().withStepNumber(4).withCompensating(false);
    static final Metadata CANCELLATION = Metadata.none().withStepNumber(1).withCompensating(true);

    private FulfillmentStep() {}

    static String sagaId(String orderId) {
        return "saga-" + orderId;
    }

    /** What the events of an order's commands carry; those of handlers take it over from the event they handle. */
    static Metadata sagaMetadata(String orderId) {
        return Metadata.none().withSaga(SAGA_TYPE, sagaId(orderId));
    }
}
