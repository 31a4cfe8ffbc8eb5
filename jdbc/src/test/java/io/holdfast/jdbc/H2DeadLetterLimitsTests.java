package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterLimitsKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
