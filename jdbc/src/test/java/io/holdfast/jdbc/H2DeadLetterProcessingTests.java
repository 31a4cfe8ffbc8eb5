package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterProcessingKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
