package io.holdfast.examples.shop.payment;

import io.holdfast.event.Metadata;

/** Where this service's events stand in the saga of an order: the third step, done and undone. */
final class FulfillmentStep {

    static final Metadata PAYMENT = Metadata.none().withStepNumber(3).withCompensating(false);
    static final Metadata REFUND = Metadata.none().withStepNumber(3).withCompensating(true);

    private FulfillmentStep() {}
}
