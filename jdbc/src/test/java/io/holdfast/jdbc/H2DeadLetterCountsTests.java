package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterCountsKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
