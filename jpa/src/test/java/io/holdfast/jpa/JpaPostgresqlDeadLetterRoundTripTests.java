package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterRoundTripKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
