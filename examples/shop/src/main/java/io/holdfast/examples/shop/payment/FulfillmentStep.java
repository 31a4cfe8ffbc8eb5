package io.holdfast.examples.shop.payment;

import io.holdfast.event.Metadata;

/** Saga metadata of this service's events: step 3, the payment and its compensation. */
final class FulfillmentStep {

    static final Metadata PAYMENT = Metadata.none().withStepNumber(3).withCompensating(false);
    static final Metadata REFUND = Metadata.none().withStepNumber(3).withCompensating(true);

    private FulfillmentStep() {}
}
