package io.holdfast.examples.shop.inventory;

import io.holdfast.event.Metadata;

/** Saga metadata of this service's events: step 2, the reservation and its compensation, and the sale. */
final class FulfillmentStep {

    static final Metadata RESERVATION = Metadata.none().withStepNumber(2).withCompensating(false);
    static final Metadata RELEASE = Metadata.none().withStepNumber(2).withCompensating(true);
    /** Follows step 4, the confirmation. */
    static final Metadata SALE = Metadata.none().withStepNumber(5).withCompensating(false);

    private FulfillmentStep() {}
}
