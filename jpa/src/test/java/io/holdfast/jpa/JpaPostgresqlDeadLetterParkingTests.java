package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterParkingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
