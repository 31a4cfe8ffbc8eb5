package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterRoundTripKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
