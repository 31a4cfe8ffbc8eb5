package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterOrderKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
