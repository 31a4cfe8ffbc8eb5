package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterQueueKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
