package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterLimitsKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
