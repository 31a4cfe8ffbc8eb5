package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterCacheKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
