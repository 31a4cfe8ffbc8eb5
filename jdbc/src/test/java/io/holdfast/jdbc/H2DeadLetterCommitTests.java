package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterCommitKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}
