package io.holdfast.examples.shop.inventory;

import io.holdfast.event.Metadata;

/** Where this service's events stand in the saga of an order: the second step, done and undone. */
final class FulfillmentStep {

    static final Metadata RESERVATION = Metadata.none().withStepNumber(2).withCompensating(false);
    static final Metadata RELEASE = Metadata.none().withStepNumber(2).withCompensating(true);
    /** After the last step. */
    static final Metadata SALE = Metadata.none().withStepNumber(5).withCompensating(false);

    private FulfillmentStep() {}
}
