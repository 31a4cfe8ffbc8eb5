package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterRoundTripKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
