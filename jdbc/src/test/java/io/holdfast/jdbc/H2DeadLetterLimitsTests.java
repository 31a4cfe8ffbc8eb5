package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterLimitsKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
