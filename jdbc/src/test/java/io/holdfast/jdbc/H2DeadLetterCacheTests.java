package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterCacheKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
