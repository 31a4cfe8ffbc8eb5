package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterParkingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
