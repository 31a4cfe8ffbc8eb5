package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterQueueKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
