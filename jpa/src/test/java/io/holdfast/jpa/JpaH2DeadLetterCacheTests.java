package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterCacheKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}
