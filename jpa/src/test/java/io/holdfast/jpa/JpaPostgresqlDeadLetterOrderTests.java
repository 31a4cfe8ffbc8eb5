package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterOrderKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
