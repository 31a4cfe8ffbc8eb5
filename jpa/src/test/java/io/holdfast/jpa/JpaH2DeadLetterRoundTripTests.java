package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterRoundTripKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
