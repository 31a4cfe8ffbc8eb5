package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterCountsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
