package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterQueueKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
