package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterQueueKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
