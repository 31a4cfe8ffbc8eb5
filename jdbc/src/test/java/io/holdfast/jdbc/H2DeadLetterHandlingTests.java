package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterHandlingKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
