package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterChangesKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
