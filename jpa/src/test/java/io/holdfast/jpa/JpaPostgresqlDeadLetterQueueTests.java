package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterQueueKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
