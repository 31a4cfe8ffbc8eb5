package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterQueueKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
