package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterChangesKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
