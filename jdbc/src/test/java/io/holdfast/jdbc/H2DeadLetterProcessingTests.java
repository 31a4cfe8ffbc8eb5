package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterProcessingKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
