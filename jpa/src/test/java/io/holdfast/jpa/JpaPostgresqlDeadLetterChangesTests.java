package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterChangesKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
