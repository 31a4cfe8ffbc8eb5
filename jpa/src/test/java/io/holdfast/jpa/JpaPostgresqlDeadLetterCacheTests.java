package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterCacheKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}
