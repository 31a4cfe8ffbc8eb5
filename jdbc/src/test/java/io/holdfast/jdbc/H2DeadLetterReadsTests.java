package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterReadsKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
