package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterCountsKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
