package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterStoreKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
