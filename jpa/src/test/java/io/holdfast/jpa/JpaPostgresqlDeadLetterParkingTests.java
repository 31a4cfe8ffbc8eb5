package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterParkingKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
