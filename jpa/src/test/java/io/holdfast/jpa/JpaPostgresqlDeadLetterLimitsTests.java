package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterLimitsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
