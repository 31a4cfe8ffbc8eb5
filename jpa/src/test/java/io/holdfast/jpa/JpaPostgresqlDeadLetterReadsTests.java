package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterReadsKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
