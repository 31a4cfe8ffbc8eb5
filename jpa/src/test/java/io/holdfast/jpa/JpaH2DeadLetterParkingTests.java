package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterParkingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
