package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
