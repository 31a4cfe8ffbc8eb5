package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterReadsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
